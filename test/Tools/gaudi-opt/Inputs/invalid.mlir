"func.func"() <{function_type = (f32) -> i32, sym_name = "f"}> ({
^bb0(%x: f32):
  "func.return"(%x) : (f32) -> ()
}) : () -> ()
