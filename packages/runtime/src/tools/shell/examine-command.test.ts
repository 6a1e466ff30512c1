import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fc from "../../../../../testing/fast-check.ts";
import { temporaryPlaces } from "../testing/temporary-place.ts";
import { examineCommand } from "./examine-command.ts";

const NONE = { kind: "none", reason: "not here" } as const;
const makePlace = temporaryPlaces();

describe("effects that no undo takes back are named in words [X8]", () => {
  const named: readonly [string, RegExp][] = [
    ["git push", /^git push/],
    ["git -C sub -c a.b=c push --force origin main", /^git push/],
    ["cd sub && /usr/bin/git push", /^git push/],
    ["make && git push | cat", /^git push/],
    ["(git push)", /^git push/],
    ["echo $(git push)", /^git push/],
    ['echo "done `git push`"', /^git push/],
    ["if true; then git push; fi", /^git push/],
    ["A=1 env B=2 nohup git push &", /^git push/],
    ["sh -c 'git push'", /^git push/],
    ['bash -lc "cd x; git push"', /^git push/],
    ["bash <<EOF\ngit push\nEOF", /^git push/],
    ["eval git push", /^git push/],
    ["echo x | xargs -n 1 git push", /^git push/],
    ["timeout 5 git push", /^git push/],
    ["g\\it pu''sh", /^git push/],
    ["git commit -m x", /^git commit: changes the repository/],
    ["git config --global user.name x", /outside the workspace/],
    ["npm publish", /^npm publish/],
    ["npm --prefix packages/a publish", /^npm publish/],
    ["yarn npm publish", /^yarn npm publish/],
    ["pnpm publish -r", /^pnpm publish/],
    ["cargo publish", /^cargo publish/],
    ["twine upload dist/*", /^twine/],
    ["python3 -m twine upload dist/*", /^twine/],
    ["poetry publish", /^poetry publish/],
    ["docker push a/b", /^docker push/],
    ["docker buildx build --push .", /--push/],
    ["gh pr create --fill", /^gh pr create/],
    ["gh -R a/b release create v1", /^gh release create/],
    ["gh api -X DELETE repos/a/b", /^gh api DELETE/],
    ["gh api repos/a/b/issues -f title=x", /^gh api: sends/],
    ["aws s3 cp a s3://b/c", /^aws s3 cp/],
    ["aws --profile p ec2 terminate-instances", /^aws ec2 terminate/],
    ["gcloud run deploy x", /^gcloud deploy/],
    ["kubectl -n a apply -f x.yml", /^kubectl apply/],
    ["helm upgrade a b", /^helm upgrade/],
    ["terraform apply", /^terraform apply/],
    ["curl -X POST https://example.org", /^curl POST/],
    ["curl -sXDELETE https://example.org", /^curl/],
    ["curl -d a=b https://example.org", /^curl: sends/],
    ["curl --json '{}' https://example.org", /^curl: sends/],
    ["curl -T file https://example.org", /^curl: sends/],
    ["wget --post-data=a https://example.org", /^wget: sends/],
    ["wget --method=PUT https://example.org", /^wget PUT/],
    ["http POST example.org a=b", /^http POST/],
    ["ssh host ls", /^ssh/],
    ["scp a user@host:b", /^scp: writes to another machine/],
    ["rsync -a . host:dir", /^rsync: writes/],
    ["sudo ls", /^sudo/],
    ["sudo -u x npm publish", /^npm publish/],
    ["npm i -g x", /^npm i --global/],
    ["pnpm add --global x", /^pnpm add --global/],
    ["yarn global add x", /^yarn global/],
    ["pip install x", /^pip install/],
    ["python -m pip install x", /^pip install/],
    ["apt-get install -y x", /^apt-get install/],
    ["brew install x", /^brew install/],
    ["cargo install x", /^cargo install/],
    ["mail -s x a@example.org", /^mail/],
    ["kill 1", /^kill/],
    ["systemctl restart x", /^systemctl restart/],
    ["crontab file", /^crontab/],
    [`ls ${"a ".repeat(2000)}../outside`, /more paths than were looked at/],
  ];
  it.each(named)("names %j", (command, effect) => {
    expect(examineCommand(command, makePlace(), NONE).irreversible).toContainEqual(expect.stringMatching(effect));
  });

  const harmless = [
    "git status",
    "git log --grep push",
    "git diff",
    "git branch",
    "git stash list",
    "git remote -v",
    "git config user.name",
    "git push --dry-run",
    "echo git push",
    "echo 'a; git push'",
    "grep -r 'npm publish' .",
    "# git push",
    "cat <<EOF\ngit push\nEOF",
    "npm install",
    "npm test -- publish",
    "npm run publish",
    "npm publish --dry-run",
    "docker build .",
    "gh pr view 1",
    "gh api repos/a/b",
    "aws s3 ls",
    "aws s3 cp s3://a/b c",
    "aws ec2 describe-instances",
    "kubectl get pods",
    "kubectl apply --dry-run=client -f x",
    "curl https://example.org",
    "curl -fsSL -o out https://example.org",
    "curl -X GET https://example.org",
    "wget https://example.org",
    "scp host:a b",
    "pip list",
    "systemctl status x",
    "crontab -l",
    "kill -0 1",
    "twine check dist/a",
    "pip install --target lib x",
    "cargo build",
    "rm -rf build",
    "echo a > b",
    "ls -la && cat package.json",
  ];
  it.each(harmless)("finds nothing in %j", (command) => {
    expect(examineCommand(command, makePlace(), NONE).irreversible).toEqual([]);
  });
});

describe("paths in a command line that lead elsewhere are facts [X4]", () => {
  const outside: readonly [string, (home: string) => string][] = [
    ["cat ../outside", (home) => `${home}/outside`],
    ["cat ../outside/new", (home) => `${home}/outside/new`],
    ["cat sub/../../outside", (home) => `${home}/outside`],
    ["cat link", (home) => `${home}/outside`],
    ["ls link/*.txt", (home) => `${home}/outside`],
    ["cd .. && cat outside", (home) => `${home}/outside`],
    ["cd sub; cat ../../outside", (home) => `${home}/outside`],
    ["cd ..", (home) => home],
    ["git -C .. status", (home) => home],
    ["gcc -I../outside x.c", (home) => `${home}/outside`],
    ["tool --out=../outside/x", (home) => `${home}/outside/x`],
    ["echo x >../outside/y", (home) => `${home}/outside/y`],
    ["cat < ../outside", (home) => `${home}/outside`],
    ["cat ~/", () => homedir()],
    ['cat "$HOME"', () => homedir()],
    ["cd", () => homedir()],
    ["ls /", () => "/"],
  ];
  it.each(outside)("%j", (command, path) => {
    const place = makePlace();
    mkdirSync(place.path("sub"));
    symlinkSync(place.outside, place.path("link"));
    const { paths } = examineCommand(command, place, NONE);
    expect(paths).toContainEqual({ path: path(place.home), place: "outside" });
  });

  it("names what is changed outside and in .git as beyond undo [X8]", () => {
    const place = makePlace();
    mkdirSync(place.path(".git"));
    const effects = (command: string) => examineCommand(command, place, NONE).irreversible;
    expect(effects("rm -rf ../outside")).toEqual([`rm: changes outside the workspace: ${place.outside}`]);
    expect(effects("> ../outside/x")).toEqual([`writes outside the workspace: ${join(place.outside, "x")}`]);
    expect(effects("mkdir -p /nowhere/at/all")).toEqual(["mkdir: changes outside the workspace: /nowhere/at/all"]);
    expect(effects("sed -i s/a/b/ ../outside/x")).toHaveLength(1);
    expect(effects("dd if=a of=../outside/x")).toHaveLength(1);
    expect(effects("cp a ../outside")).toHaveLength(1);
    expect(effects("cp ../outside a")).toEqual([]);
    expect(effects("rm .git/config")).toEqual(["rm: changes in a .git directory: .git/config"]);
    expect(effects("rm .GIT/config")).toHaveLength(1);
  });

  it.each([
    "ls 2>/dev/null",
    "sed -n '/foo/p' a",
    "awk '/tmp/ {print}' a",
    "grep -rn --exclude-dir=.git /tmp .",
    "find . -path ./.git -prune -o -name x",
    "curl https://example.org/a",
    "git commit -m '/tmp is full'",
    "echo /etc/passwd",
    "git clone git@example.org:a/b.git",
  ])("takes no pattern, address or message for a path: %j", (command) => {
    const { paths } = examineCommand(command, makePlace(), NONE);
    expect(paths.filter((fact) => fact.place !== "workspace")).toEqual([]);
  });

  it("reads any line without failing", () => {
    const place = makePlace();
    const pieces = fc.constantFrom(
      "git",
      "push",
      "'",
      '"',
      "`",
      "$(",
      "${",
      ")",
      "(",
      "<<",
      "EOF",
      ">",
      "\n",
      " ",
      "\\",
    );
    const line = fc.string({ unit: fc.oneof(pieces, fc.string({ maxLength: 2 })), maxLength: 20 });
    fc.assert(fc.property(line, (command) => examineCommand(command, place, NONE).writes));
  });

  it("ends on lines made to confuse it", () => {
    const place = makePlace();
    for (const line of [
      "$(".repeat(20_000),
      "`".repeat(9_999),
      "(".repeat(50_000),
      "a/".repeat(40_000),
      '"',
      "'",
      "\\",
      "<<",
      "cat <<A <<B\n",
      "$",
      "${",
      ">",
      "sudo ".repeat(10_000),
      "sh -c ".repeat(5_000),
      "constructor toString",
      "__proto__",
    ]) {
      expect(examineCommand(line, place, NONE).command).toBe(line);
    }
  });
});
