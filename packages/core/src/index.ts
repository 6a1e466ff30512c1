export { canonical, equal, isObject, type Json, type JsonObject } from "./values/json.ts";
