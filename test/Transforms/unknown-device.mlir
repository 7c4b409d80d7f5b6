// RUN: gaudi-opt %s --gaudi-place-ops="device=gaudi9" -split-input-file -verify-diagnostics
// RUN: gaudi-opt %s --gaudi-place-permutations="device=gaudi9" -split-input-file -verify-diagnostics

// expected-error @+1 {{unknown device "gaudi9", expected one of "gaudi", "gaudi2", "gaudi3"}}
module {
}
