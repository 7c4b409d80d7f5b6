# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

from .._cuda_names.scan import main

sys.exit(main())
