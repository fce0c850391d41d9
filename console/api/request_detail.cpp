#include "console/api/request_detail.hpp"

#include <limits>

#include "agent/config/config.hpp"
#include "console/api/request_parts.hpp"
#include "console/api/requests.hpp"
#include "console/api/rows.hpp"
#include "console/api/usual.hpp"
#include "console/api/why_slow.hpp"

namespace inlens::console::api {

const store::RequestDetail* find_request(const store::Snapshot& snapshot, const store::RequestId& id) {
  for (const auto& request : snapshot.requests)
    if (request->id == id) return request.get();
  return nullptr;
}

Json request_detail(const store::RequestDetail& request, const store::Snapshot& snapshot) {
  return Json::object(
      {{"id", store::to_hex(request.id)},
       {"method", request.method},
       {"target", request.target},
       {"route", request.route},
       {"status", request.status},
       {"startedAtMs", whole(request.started_unix_ms)},
       {"durationNs", request.duration_ns},
       {"cpuNs", request.cpu_ns ? Json(*request.cpu_ns) : Json(nullptr)},
       {"bytesIn", request.bytes_in},
       {"bytesOut", request.bytes_out},
       {"peer", request.peer},
       {"host", request.host},
       {"protocol", request.protocol},
       {"contentType", request.content_type},
       {"parentId", request.parent ? Json(store::to_hex(*request.parent)) : Json(nullptr)},
       {"level", name_of(request.level)},
       {"thread", request.thread},
       {"flags", request_flags(request)},
       {"why", why_slow(request)},
       {"usual", UsualTimes(snapshot).of(request.method, request.route)},
       {"agentNs", nullptr},  // not measured per request
       {"spans", spans_list(request)},
       {"errors", errors_list(request, snapshot)},
       {"messages", messages_list(request)},
       {"timers", timers_list(request)},
       {"panels", panels_list(request)},
       {"headers", headers_of(request)},
       {"tasks", tasks_list(request)},
       {"counts", counts_of(request.counts)},
       {"decorated", Json::object({{"bar", request.decorated}, {"reason", request.skip_reason}})},
       {"findings", findings_list(request.findings, std::numeric_limits<std::size_t>::max())}});
}

}  // namespace inlens::console::api
