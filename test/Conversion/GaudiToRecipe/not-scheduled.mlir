// A module that is not in memory form, and files that cannot be written.
// RUN: gaudi-opt %s --gaudi-emit-recipe="output=%t.recipe" -verify-diagnostics -split-input-file
// RUN: not ls %t.recipe
// RUN: not gaudi-opt %s --gaudi-emit-recipe 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: echo "module { func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> { return %%x : tensor<4xf32> } }" > %t.mlir
// RUN: not gaudi-opt %t.mlir --gaudi-compile --gaudi-emit-recipe="output=%t.missing/x.recipe" -o %t.out 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not ls %t.out
// RUN: mkdir -p %t.folder
// RUN: not gaudi-opt %t.mlir --gaudi-compile --gaudi-emit-recipe="output=%t.folder" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOLDER

// OUTPUT: not-scheduled.mlir:{{.*}}: error: gaudi-emit-recipe needs a file: output=NAME.recipe
// PATH: error: {{.*}}x.recipe
// FOLDER: error: {{.*}}folder

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{after phase 'memory': function 'main' has no 'gaudi.persistent_bytes', which gaudi-assign-buffers gives; compile the model by --gaudi-compile}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
