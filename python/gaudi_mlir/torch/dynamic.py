def is_dynamic(gm): return False
