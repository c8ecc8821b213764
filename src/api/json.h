// Writes JSON, for what the engine tells JavaScript about itself and about programs.
#ifndef HLO_API_JSON_H
#define HLO_API_JSON_H

#include "base/string.h"
#include "shape/shape.h"

void hlo_json_text(hlo_string *out, const char *text); // quoted and escaped; NULL: null
void hlo_json_key(hlo_string *out, const char *key);   // "key":, with a comma before it when needed
void hlo_json_field_text(hlo_string *out, const char *key, const char *text);
void hlo_json_field_int(hlo_string *out, const char *key, int64_t value);
void hlo_json_field_bool(hlo_string *out, const char *key, bool value);
void hlo_json_comma(hlo_string *out); // a comma unless at the start of a list or object
// {"text":"f32[2,<=3]{1,0}","type":"f32","dims":[2,3],"dynamic":[false,true],"layout":{…},"bytes":24,
//  "elements":[…]} with "elements" for tuples only.
void hlo_json_shape(hlo_string *out, const hlo_shape *shape);

#endif
