import { describe, expect, test } from "vitest";
import { secretRedactor } from "./redact-secrets.ts";

const redact = secretRedactor({
  ANTHROPIC_API_KEY: "value-of-the-key",
  SHORT_TOKEN: "abc",
  HOME: "/home/someone",
  DB_PASSWORD: "value-of-the-key-and-more",
});

test("[S8] removes the values of this process's keys everywhere, also in names of fields", () => {
  expect(redact({ "value-of-the-key": ["a value-of-the-key-and-more b", { deep: "xvalue-of-the-keyx" }] })).toEqual({
    "[redacted]": ["a [redacted] b", { deep: "x[redacted]x" }],
  });
});

test("[S8] leaves texts without secrets unchanged", () => {
  const value = {
    text: "abc in /home/someone, MONKEY=1, max_tokens=5, a key: x",
    max_tokens: 100,
    primary_key: "id",
    token: 7,
    nothing: null,
    url: "https://example.org/a:b@c",
    list: [true, 1.5],
  };
  expect(redact(value)).toEqual(value);
});

describe("[S8] removes a text under the name of a secret", () => {
  test.each([
    ...["authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "x-api-key", "x-goog-api-key", "api_key"],
    ...["apiKey", "accessToken", "client_secret", "password", "MY_SERVICE_KEY", "aws_secret_access_key", "token"],
  ])("%s", (name) => {
    expect(redact({ headers: { [name]: "anything" } })).toEqual({ headers: { [name]: "[redacted]" } });
    expect(redact({ [name]: ["a", "b"] })).toEqual({ [name]: "[redacted]" });
  });
});

describe("[S8] removes texts that look like keys", () => {
  const long = "Ab3".repeat(12);
  test.each([
    [`use sk-ant-api03-${long} now`, "use [redacted] now"],
    [`ghp_${long}, github_pat_${long}`, "[redacted], [redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    [`AIza${long}`, "[redacted]"],
    [`eyJhbGciOiJI.eyJzdWIiOiIx.${long}`, "[redacted]"],
    [`Authorization: Bearer ${long}`, "Authorization: Bearer [redacted]"],
    ["git clone https://me:hunter2@example.org/x", "git clone https://[redacted]@example.org/x"],
    ["A=1\nOPENAI_API_KEY=abc\nB=2", "A=1\nOPENAI_API_KEY=[redacted]\nB=2"],
    ["export GH_TOKEN='a b' x", "export GH_TOKEN=[redacted] x"],
    ["-----BEGIN RSA PRIVATE KEY-----\nX-Y: z\n\nMII\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"],
    ["-----BEGIN PRIVATE KEY-----\ncut off", "[redacted]"],
  ])("%s", (text, clean) => {
    expect(redact(text)).toBe(clean);
  });
});
