/* A program that no library can be loaded into. */
#include <stdio.h>

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) puts(arguments[i]);
  return 3;
}
