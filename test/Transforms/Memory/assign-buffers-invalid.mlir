// What a program must be before its values can have buffers.
// RUN: gaudi-opt %s --gaudi-alias-buffers --gaudi-assign-buffers -split-input-file -verify-diagnostics

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{after phase 'schedule': argument 0 has type 'i32'; expected a static tensor of a device type}}
func.func @main(%x: i32) {
  return
}
}
