import { describe, expect, test } from "vitest";
import { toolEnvironment } from "./tool-environment.ts";

const SECRETS = [
  ..."AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OPENAI_KEY OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN GH_TOKEN".split(
    " ",
  ),
  ..."NPM_TOKEN npm_config__authToken SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS GIT_ASKPASS DB_PASS DB_PASSWORD".split(
    " ",
  ),
  ..."PGPASSWORD MYSQL_PWD SMTP_PASS DATABASE_URL REDIS_URL SENTRY_DSN STRIPE_SECRET JWT_SECRET KUBECONFIG".split(" "),
  ..."GOOGLE_APPLICATION_CREDENTIALS SLACK_WEBHOOK DOCKER_AUTH_CONFIG RETAKE_HOME RETAKE_TOKEN MY_PRIVATE_KEY".split(
    " ",
  ),
];
const HARMLESS =
  "PATH HOME USER SHELL LANG LC_ALL TERM PWD OLDPWD EDITOR NODE_ENV CI TZ XDG_CONFIG_HOME JAVA_HOME".split(" ");

describe("[F11] the environment of tools", () => {
  test.each(SECRETS)("holds no %s", (name) => {
    expect(toolEnvironment({ [name]: "value", PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });

  test.each([
    "postgres://user:secret@host/db",
    "sk-abcdefghijklmnop",
    "ghp_abcdefghijklmnop",
    "AKIAABCDEFGHIJKLMNOP",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Server=a;Password=b;",
  ])("holds nothing that looks like a secret, whatever its name: %s", (value) => {
    expect(toolEnvironment({ ANYTHING: value })).toEqual({});
  });

  test("holds what programs need", () => {
    const ours = Object.fromEntries(HARMLESS.map((name) => [name, "value"]));
    expect(toolEnvironment(ours)).toEqual(ours);
  });

  test("holds what the setting names, and nothing beside it", () => {
    const ours = { NPM_TOKEN: "a", GITHUB_TOKEN: "b", SSH_AUTH_SOCK: "c" };
    expect(toolEnvironment(ours, ["NPM_TOKEN", "SSH_AUTH_SOCK"])).toEqual({ NPM_TOKEN: "a", SSH_AUTH_SOCK: "c" });
  });
});
