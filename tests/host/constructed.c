/* A library whose constructor makes a request: a hook that runs inside the loader, with its lock held. */
#include <inlens/inlens.h>

__attribute__((constructor)) static void make_request(void) {
  inlens_request_info info = {0};
  info.struct_size = sizeof info;
  info.method.data = "GET";
  info.method.size = 3;
  info.target.data = "/constructor";
  info.target.size = 12;
  inlens_request_end(inlens_request_begin(&info), 0);
}
