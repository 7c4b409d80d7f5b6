// Passes after gaudi-place-ops need the device that it records.
// RUN: gaudi-opt %s --gaudi-schedule-ops -split-input-file -verify-diagnostics
// RUN: gaudi-opt %s --gaudi-assign-buffers -split-input-file -verify-diagnostics
// RUN: gaudi-opt %s --gaudi-emit-recipe="output=%t.recipe" -split-input-file -verify-diagnostics
// RUN: not ls %t.recipe

// expected-error @+1 {{the module is not compiled yet; put --gaudi-compile before --gaudi-emit-recipe, and --gaudi-compile=stop-after=graph before another pass}}
module {
}

// -----

// expected-error @+1 {{unknown device "tpu", expected one of "gaudi", "gaudi2", "gaudi3"}}
module attributes {gaudi.device = "tpu"} {
}
