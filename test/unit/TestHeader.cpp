// Nothing but the precompiled header that belongs to it.
