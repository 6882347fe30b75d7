"""Short programs that use the library; each says in its docstring what it reached."""
