/* A library whose thread-local variable is in the static block that all libraries of a process share. */
__attribute__((tls_model("initial-exec"))) static __thread char block[128];

__attribute__((visibility("default"))) char* static_tls_block(void) {
  return block;
}
