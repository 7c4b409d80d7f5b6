# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

from .scan import main

sys.exit(main())
