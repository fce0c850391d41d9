/* A program that uses libmariadb in many ways and knows nothing of Inlens.
 *
 *   mysql_host <part> <port> [<number> …]
 *
 * Prints what it got, then "held", and ends when its standard input does. */
#include <errno.h>
#include <mysql.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned port;

static MYSQL* connected(unsigned long flags) {
  MYSQL* mysql = mysql_init(NULL);
  if (mysql_real_connect(mysql, "127.0.0.1", "lens", "a-password-nobody-shows", "shop", port, NULL, flags) ==
      NULL) {
    printf("not connected: %u %s\n", mysql_errno(mysql), mysql_error(mysql));
    exit(1);
  }
  return mysql;
}

static void tell(MYSQL* mysql, const char* what, long long value) {
  printf("%s: %lld errno %u sqlstate %s %s\n", what, value, mysql_errno(mysql), mysql_sqlstate(mysql),
         mysql_error(mysql));
}

static void tell_stmt(MYSQL_STMT* stmt, const char* what, long long value) {
  printf("%s: %lld errno %u sqlstate %s %s\n", what, value, mysql_stmt_errno(stmt), mysql_stmt_sqlstate(stmt),
         mysql_stmt_error(stmt));
}

/* Runs a text and reads its one result whole. */
static void ask(MYSQL* mysql, const char* text) {
  const int failed = mysql_query(mysql, text);
  MYSQL_RES* result = failed ? NULL : mysql_store_result(mysql);
  tell(mysql, text, failed ? -1 : (long long)mysql_affected_rows(mysql));
  if (result == NULL) return;
  MYSQL_ROW row;
  errno = 4321;
  while ((row = mysql_fetch_row(result)) != NULL) {
    for (unsigned column = 0; column < mysql_num_fields(result); ++column)
      printf("  %s", row[column] ? row[column] : "NULL");
    printf("\n");
  }
  mysql_free_result(result);
  printf("errno %d\n", errno);
}

static void part_text(void) {
  MYSQL* mysql = connected(0);
  ask(mysql, "CREATE TABLE text_part (id INT PRIMARY KEY, name VARCHAR(40))");
  ask(mysql, "INSERT INTO text_part VALUES (1, 'one'), (2, 'two'), (3, 'three')");
  ask(mysql, "SELECT id, name FROM text_part ORDER BY id");
  ask(mysql, "UPDATE text_part SET name = 'x' WHERE id > 1");
  ask(mysql, "SELECT id FROM text_part WHERE id > 100");
  ask(mysql, "INSERT INTO text_part VALUES (1, 'again')");
  ask(mysql, "SELECT * FROM no_such_table");
  ask(mysql, "SELEKT 1");
  tell(mysql, "autocommit", mysql_autocommit(mysql, 0));
  ask(mysql, "DELETE FROM text_part WHERE id = 3");
  tell(mysql, "rollback", mysql_rollback(mysql));
  ask(mysql, "DELETE FROM text_part WHERE id = 2");
  tell(mysql, "commit", mysql_commit(mysql));
  tell(mysql, "autocommit", mysql_autocommit(mysql, 1));
  tell(mysql, "ping", mysql_ping(mysql));
  tell(mysql, "names", mysql_set_character_set(mysql, "utf8mb4"));
  static const char nul[] = "SELECT 'a\0b', 1 FROM text_part WHERE name <> '\xff\xfe'";
  tell(mysql, "nul", mysql_real_query(mysql, nul, sizeof(nul) - 1));
  MYSQL_RES* result = mysql_store_result(mysql);
  if (result != NULL) mysql_free_result(result);
  result = mysql_list_tables(mysql, "text%");
  printf("tables: %llu\n", result != NULL ? (unsigned long long)mysql_num_rows(result) : 0);
  mysql_free_result(result);
  mysql_close(mysql);
}

static void part_database(void) {
  MYSQL* mysql = connected(0);
  ask(mysql, "SELECT DATABASE(), 1");
  tell(mysql, "select_db", mysql_select_db(mysql, "information_schema"));
  ask(mysql, "SELECT DATABASE(), 2");
  ask(mysql, "USE shop");
  ask(mysql, "SELECT DATABASE(), 3");
  tell(mysql, "change_user",
       mysql_change_user(mysql, "lens", "a-password-nobody-shows", "information_schema"));
  ask(mysql, "SELECT DATABASE(), 4");
  tell(mysql, "change_user", mysql_change_user(mysql, "lens", "wrong", NULL));
  mysql_close(mysql);
}

static void part_multi(void) {
  MYSQL* mysql = connected(CLIENT_MULTI_STATEMENTS);
  const char* texts[] = {"SELECT 1 UNION SELECT 2; SELECT 3",
                         "SELECT 1; SELECT * FROM no_such_table; SELECT 2",
                         "CREATE PROCEDURE two_sets() BEGIN SELECT 1; SELECT 2 UNION SELECT 3; END",
                         "CALL two_sets()", "SET @a = 1; SET @b = 2; SELECT @a + @b"};
  for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); ++i) {
    int status = mysql_query(mysql, texts[i]);
    tell(mysql, texts[i], status);
    while (status == 0) {
      MYSQL_RES* result = mysql_store_result(mysql);
      printf("  rows %lld\n", result != NULL ? (long long)mysql_num_rows(result) : -1);
      if (result != NULL) mysql_free_result(result);
      status = mysql_next_result(mysql);
      if (status > 0) tell(mysql, "next", status);
    }
  }
  mysql_close(mysql);
}

static void part_use(void) {
  MYSQL* mysql = connected(0);
  const char* texts[] = {"SELECT seq FROM seq_1_to_1000", "SELECT seq, 1 FROM seq_1_to_500"};
  for (unsigned i = 0; i < 2; ++i) {
    tell(mysql, texts[i], mysql_query(mysql, texts[i]));
    MYSQL_RES* result = mysql_use_result(mysql);
    unsigned rows = 0;
    while ((i == 0 || rows < 10) && mysql_fetch_row(result) != NULL) ++rows;
    tell(mysql, "rows", rows);
    if (i == 0) tell(mysql, "again", mysql_fetch_row(result) != NULL);
    mysql_free_result(result);
  }
  tell(mysql, "killed",
       mysql_query(
           mysql,
           "SELECT seq, REPEAT('x', 1000), KILL_ME FROM (SELECT seq, 1 AS KILL_ME FROM seq_1_to_20000) t"));
  MYSQL_RES* result = mysql_use_result(mysql);
  unsigned rows = 0;
  while (rows < 5 && mysql_fetch_row(result) != NULL) ++rows;
  MYSQL* other = connected(0);
  char text[64];
  snprintf(text, sizeof(text), "KILL %lu", mysql_thread_id(mysql));
  ask(other, text);
  mysql_close(other);
  while (mysql_fetch_row(result) != NULL) ++rows;
  printf("killed: all rows %d errno %u\n", rows == 20000, mysql_errno(mysql));
  mysql_free_result(result);
  /* A second statement before the first one's rows were read. */
  mysql_close(mysql);
  mysql = connected(0);
  tell(mysql, "first", mysql_query(mysql, "SELECT seq, 2 FROM seq_1_to_7"));
  errno = 4322;
  const int out_of_sync = mysql_query(mysql, "SELECT 8");
  printf("errno %d\n", errno);
  tell(mysql, "out of sync", out_of_sync);
  result = mysql_store_result(mysql);
  tell(mysql, "stored", result != NULL ? (long long)mysql_num_rows(result) : -1);
  if (result != NULL) mysql_free_result(result);
  ask(mysql, "SELECT 9");
  mysql_close(mysql);
}

static void part_send(void) {
  MYSQL* mysql = connected(0);
  static const char text[] = "SELECT SLEEP(0.2), seq FROM seq_1_to_2 LIMIT 1";
  tell(mysql, "send", mysql_send_query(mysql, text, sizeof(text) - 1));
  struct pollfd waiting = {.fd = (int)mysql_get_socket(mysql), .events = POLLIN};
  poll(&waiting, 1, 10000);
  tell(mysql, "read", mysql_read_query_result(mysql));
  MYSQL_RES* result = mysql_store_result(mysql);
  printf("rows %llu\n", (unsigned long long)mysql_num_rows(result));
  mysql_free_result(result);
  tell(mysql, "send", mysql_send_query(mysql, "SELEKT 2", 8));
  tell(mysql, "read", mysql_read_query_result(mysql));
  mysql_close(mysql);
}

static void bind_long(MYSQL_BIND* bound, int* value) {
  memset(bound, 0, sizeof(*bound));
  bound->buffer_type = MYSQL_TYPE_LONG;
  bound->buffer = value;
}

static void prepare(MYSQL_STMT* stmt, const char* text) {
  tell_stmt(stmt, text, mysql_stmt_prepare(stmt, text, strlen(text)));
}

static void part_prepared(void) {
  MYSQL* mysql = connected(0);
  ask(mysql, "CREATE TABLE prepared_part (id INT PRIMARY KEY)");
  int value = 0;
  MYSQL_BIND bound;
  bind_long(&bound, &value);
  MYSQL_STMT* insert = mysql_stmt_init(mysql);
  prepare(insert, "INSERT INTO prepared_part VALUES (?)");
  mysql_stmt_bind_param(insert, &bound);
  for (value = 1; value <= 20; ++value) tell_stmt(insert, "insert", mysql_stmt_execute(insert));
  value = 7;
  tell_stmt(insert, "insert twice", mysql_stmt_execute(insert));
  mysql_stmt_close(insert);

  MYSQL_STMT* select = mysql_stmt_init(mysql);
  prepare(select, "SELECT id FROM prepared_part WHERE id > ?");
  mysql_stmt_bind_param(select, &bound);
  int got = 0;
  MYSQL_BIND into;
  bind_long(&into, &got);
  mysql_stmt_bind_result(select, &into);
  for (int stored = 0; stored <= 1; ++stored) {
    value = 5;
    tell_stmt(select, "select", mysql_stmt_execute(select));
    if (stored) tell_stmt(select, "store", mysql_stmt_store_result(select));
    int rows = 0, sum = 0;
    while (mysql_stmt_fetch(select) == 0) ++rows, sum += got;
    printf("rows %d sum %d\n", rows, sum);
    mysql_stmt_free_result(select);
  }
  value = 10;
  tell_stmt(select, "select", mysql_stmt_execute(select));
  tell_stmt(select, "fetch", mysql_stmt_fetch(select));
  tell_stmt(select, "reset", mysql_stmt_reset(select));
  mysql_stmt_close(select);

  MYSQL_STMT* wrong = mysql_stmt_init(mysql);
  prepare(wrong, "SELECT * FROM no_such_table_either");
  mysql_stmt_close(wrong);

  MYSQL_STMT* direct = mysql_stmt_init(mysql);
  static const char text[] = "DELETE FROM prepared_part WHERE id < 4";
  tell_stmt(direct, "direct", mariadb_stmt_execute_direct(direct, text, sizeof(text) - 1));
  tell_stmt(direct, "deleted", (long long)mysql_stmt_affected_rows(direct));
  mysql_stmt_close(direct);

  MYSQL_STMT* cursor = mysql_stmt_init(mysql);
  unsigned long type = CURSOR_TYPE_READ_ONLY, ahead = 3;
  mysql_stmt_attr_set(cursor, STMT_ATTR_CURSOR_TYPE, &type);
  mysql_stmt_attr_set(cursor, STMT_ATTR_PREFETCH_ROWS, &ahead);
  prepare(cursor, "SELECT id FROM prepared_part ORDER BY id");
  tell_stmt(cursor, "cursor", mysql_stmt_execute(cursor));
  mysql_stmt_bind_result(cursor, &into);
  int rows = 0;
  while (mysql_stmt_fetch(cursor) == 0) ++rows;
  printf("rows %d\n", rows);
  mysql_stmt_close(cursor);
  mysql_close(mysql);
}

/* The library's own non-blocking calls: they run on a stack of their own, which they leave in the middle. */
static void part_nonblocking(void) {
  MYSQL* mysql = mysql_init(NULL);
  mysql_options(mysql, MYSQL_OPT_NONBLOCK, 0);
  if (mysql_real_connect(mysql, "127.0.0.1", "lens", "a-password-nobody-shows", "shop", port, NULL, 0) ==
      NULL)
    exit(1);
  int failed = 0;
  int status = mysql_query_start(&failed, mysql, "SELECT SLEEP(0.1), 'nonblocking'");
  MYSQL* other = connected(0);
  ask(other, "SELECT 'meanwhile'");
  while (status != 0) {
    struct pollfd waiting = {.fd = (int)mysql_get_socket(mysql), .events = POLLIN};
    poll(&waiting, 1, 10000);
    status = mysql_query_cont(&failed, mysql, MYSQL_WAIT_READ);
  }
  tell(mysql, "nonblocking", failed);
  MYSQL_RES* result = mysql_store_result(mysql);
  printf("rows %llu\n", (unsigned long long)mysql_num_rows(result));
  mysql_free_result(result);
  ask(other, "SELECT 'afterwards'");
  ask(mysql, "SELECT 'afterwards too'");
  mysql_close(other);
  mysql_close(mysql);
}

static long per_thread;

static void* many(void* user) {
  long wrong = 0;
  MYSQL* mysql = user;
  for (long i = 0; i < per_thread; ++i) {
    if (mysql_query(mysql, i % 10 == 9 ? "SELECT * FROM nowhere"
                           : i % 2     ? "SELECT 1 UNION SELECT 2"
                                       : "DO 0")) {
      wrong += i % 10 != 9;
      continue;
    }
    MYSQL_RES* result = mysql_store_result(mysql);
    wrong += i % 10 == 9 || (result != NULL) != (i % 2 == 1);
    if (result != NULL) mysql_free_result(result);
  }
  mysql_close(mysql);
  mysql_thread_end();
  return (void*)wrong;
}

static void part_threads(int threads) {
  pthread_t started[64];
  for (int i = 0; i < threads; ++i) pthread_create(&started[i], NULL, many, connected(0));
  long wrong = 0;
  for (int i = 0; i < threads; ++i) {
    void* result = NULL;
    pthread_join(started[i], &result);
    wrong += (long)result;
  }
  printf("wrong %ld\n", wrong);
}

static void* sleeping(void* user) {
  mysql_query(user, "SELECT SLEEP(100)");
  return NULL;
}

static void part_cancel(void) {
  MYSQL* mysql = connected(0);
  MYSQL* watching = connected(0);
  pthread_t thread;
  pthread_create(&thread, NULL, sleeping, mysql);
  for (int asleep = 0; !asleep;) {
    mysql_query(watching, "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep'");
    MYSQL_RES* result = mysql_store_result(watching);
    asleep = atoi(mysql_fetch_row(result)[0]);
    mysql_free_result(result);
  }
  pthread_cancel(thread);
  void* result = NULL;
  pthread_join(thread, &result);
  printf("cancelled %d\n", result == PTHREAD_CANCELED);
  ask(watching, "SELECT 'still here'");
  mysql_close(watching);
}

static void part_big(void) {
  MYSQL* mysql = connected(0);
  const size_t size = 10 << 20;
  char* text = malloc(size + 64);
  char* at = text + sprintf(text, "SELECT LENGTH('");
  memset(at, 'y', size);
  strcpy(at + size, "')");
  const int failed = mysql_real_query(mysql, text, strlen(text));
  tell(mysql, "big", failed);
  MYSQL_RES* result = mysql_store_result(mysql);
  printf("length %s\n", mysql_fetch_row(result)[0]);
  mysql_free_result(result);
  free(text);
  mysql_close(mysql);
}

static void part_refused(unsigned closed) {
  const struct {
    const char* password;
    unsigned port;
  } tries[] = {{"wrong", port}, {"a-password-nobody-shows", closed}};
  for (unsigned i = 0; i < 2; ++i) {
    MYSQL* mysql = mysql_init(NULL);
    MYSQL* got =
        mysql_real_connect(mysql, "127.0.0.1", "lens", tries[i].password, "shop", tries[i].port, NULL, 0);
    printf("connected %d errno %u\n", got != NULL, mysql_errno(mysql));
    printf("query %d errno %u\n", mysql_query(mysql, "SELECT 1"), mysql_errno(mysql));
    mysql_close(mysql);
  }
}

/* For counting what one statement costs: no rows, one row stored. */
static void part_cost(long times) {
  MYSQL* mysql = connected(0);
  for (long i = 0; i < times; ++i) {
    mysql_query(mysql, "DO 0");
    mysql_query(mysql, "SELECT 1");
    mysql_free_result(mysql_store_result(mysql));
  }
  mysql_close(mysql);
}

int main(int count, char** words) {
  if (count < 3) return 2;
  const char* part = words[1];
  port = (unsigned)atoi(words[2]);
  const long number = count > 3 ? atol(words[3]) : 0;
  per_thread = count > 4 ? atol(words[4]) : 0;
  mysql_library_init(0, NULL, NULL);
  if (!strcmp(part, "text"))
    part_text();
  else if (!strcmp(part, "database"))
    part_database();
  else if (!strcmp(part, "multi"))
    part_multi();
  else if (!strcmp(part, "use"))
    part_use();
  else if (!strcmp(part, "send"))
    part_send();
  else if (!strcmp(part, "prepared"))
    part_prepared();
  else if (!strcmp(part, "nonblocking"))
    part_nonblocking();
  else if (!strcmp(part, "threads"))
    part_threads((int)number);
  else if (!strcmp(part, "cancel"))
    part_cancel();
  else if (!strcmp(part, "big"))
    part_big();
  else if (!strcmp(part, "refused"))
    part_refused((unsigned)number);
  else if (!strcmp(part, "cost"))
    part_cost(number);
  else
    return 2;
  printf("held\n");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}
