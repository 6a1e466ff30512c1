/** Where escapes try to get to. */
export interface EscapeTargets {
  /** A directory outside of the workspace, with a file `victim`. */
  readonly outside: string;
  /** A file with a key in the home directory. */
  readonly key: string;
  /** A directory of Retake's own, with a file `store`. */
  readonly own: string;
  /** A port of the machine that somebody listens at. */
  readonly port: number;
  /** A socket outside of the workspace that somebody listens at. */
  readonly socket: string;
  /** A process outside. */
  readonly pid: number;
}

/** Command lines that try to change something that no undo takes back, or to see what they must not see. */
export function escapes({ outside, key, own, port, socket, pid }: EscapeTargets): Readonly<Record<string, string>> {
  const perl = (script: string) => `perl -e '${script}'`;
  return {
    redirect: `echo x > ${outside}/new`,
    append: `echo x >> ${outside}/victim`,
    variable: `d=${outside}; echo x > "$d/new"`,
    "split variable": `a=${outside.slice(0, 4)}; b=${outside.slice(4)}; echo x > "$a$b/new"`,
    substitution: `echo x > "$(echo ${outside})/new"`,
    backticks: `echo x > \`echo ${outside}\`/new`,
    eval: `eval "echo x > ${outside}/new"`,
    "relative path": "echo x > ../outside/new",
    "cd first": "cd .. && cd outside && echo x > new",
    pushd: "pushd ../outside && touch new",
    glob: `rm -f ${outside}/v*`,
    rm: `rm -rf ${outside}`,
    mv: `mv ${outside}/victim .`,
    cp: `echo x > mine; cp mine ${outside}/victim`,
    tee: `echo x | tee ${outside}/victim`,
    dd: `dd if=/dev/zero of=${outside}/victim bs=1 count=1`,
    truncate: `truncate -s 0 ${outside}/victim`,
    "sed in place": `sed -i s/safe/harm/ ${outside}/victim`,
    "touch times": `touch -d 2001-01-01 ${outside}/victim`,
    chmod: `chmod 777 ${outside}/victim`,
    chown: `chown 12345 ${outside}/victim`,
    install: `echo x > mine; install -m 777 mine ${outside}/victim`,
    "find -delete": `find ${outside} -type f -delete`,
    "find -exec": `find ${outside} -name victim -exec sh -c 'echo x > "$1"' sh {} \\;`,
    xargs: `echo ${outside}/victim | xargs rm -f`,
    "link out": `ln -s ${outside} out; echo x > out/victim`,
    "hard link": `ln ${outside}/victim mine && echo x > mine`,
    "link of a directory and rename": `ln -s ${outside} out; mv out moved; echo x > moved/victim`,
    tar: `mkdir -p t; echo x > t/victim; tar -C t -cf t.tar victim; tar -C ${outside} -xf t.tar`,
    "tar absolute": `echo x > mine; tar -cPf t.tar --transform 's,.*,${outside}/victim,' mine; tar -xPf t.tar`,
    script: `printf 'echo x > ${outside}/new\\n' > s.sh; sh s.sh`,
    "script by name": `printf '#!/bin/sh\\necho x > ${outside}/new\\n' > s; chmod +x s; ./s`,
    make: `printf 'all:\\n\\techo x > ${outside}/new\\n' > Makefile; make`,
    awk: `awk 'BEGIN { print "x" > "${outside}/new" }'`,
    perl: perl(`open F, ">", "${outside}/new"; print F "x"`),
    "perl unlink": perl(`unlink "${outside}/victim"`),
    python: `python3 -c 'open("${outside}/new", "w").write("x")'`,
    node: `node -e 'require("fs").writeFileSync("${outside}/new", "x")'`,
    base64: `echo ${Buffer.from(`echo x > ${outside}/new`).toString("base64")} | base64 -d | sh`,
    "here document": `sh <<'END'\necho x > ${outside}/new\nEND`,
    background: `(sleep 0.2; echo x > ${outside}/new) & sleep 0.5`,
    "left behind": `setsid sh -c 'sleep 1; echo x > ${outside}/new' >/dev/null 2>&1 &`,
    nohup: `nohup sh -c 'echo x > ${outside}/new' & wait`,
    "trap on exit": `trap 'echo x > ${outside}/new' EXIT`,
    "process substitution": `cat < <(echo x > ${outside}/new)`,
    descriptor: `exec 9> ${outside}/new; echo x >&9`,
    "open directory of the shell around": `ls -l /proc/1/cwd /proc/1/root; echo x > /proc/1/root${outside}/new`,
    remount: `mount -o remount,rw / ; echo x > ${outside}/new`,
    umount: `umount -l / ; umount ${outside}; echo x > ${outside}/new`,
    "own namespace": `unshare -Urm sh -c 'mount -o remount,rw /; umount -l .git; echo x > ${outside}/new; echo x > .git/HEAD'`,
    "own root": `unshare -Ur chroot / sh -c 'echo x > ${outside}/new'`,
    "bind over": `unshare -Urm sh -c 'mount --bind ${outside} sub; echo x > sub/victim'`,
    sudo: `sudo -n sh -c 'echo x > ${outside}/new'`,
    "device of the disk": `for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem; do [ -e $d ] && echo device $d; done; mknod disk b 8 0 && dd if=/dev/zero of=disk count=1`,
    "kernel settings": `echo x > /proc/sys/kernel/hostname; echo x > /proc/sys/kernel/core_pattern`,
    "other processes": `kill -9 ${pid}; kill -9 -1`,
    "debug another process": `cat /proc/${pid}/environ /proc/${pid}/maps`,
    "git hook": `echo 'echo x' > .git/hooks/pre-commit`,
    "git config": `git config core.hooksPath /tmp/hooks`,
    "git config alias": `git config alias.st '!echo x'`,
    "git commit": `git -c user.name=a -c user.email=a@b commit --allow-empty -m x`,
    "git branch": `git branch evil; git tag evil`,
    "git gc": `git gc --prune=now; git reflog expire --expire=now --all`,
    "move .git": `mv .git moved; echo x > moved/HEAD`,
    "delete .git": `rm -rf .git`,
    "replace .git": `mkdir new; mv -T new .git; rm -rf .git && mkdir .git`,
    "nested .git": `echo x > sub/.git/HEAD; rm -rf sub/.git`,
    "nested .git moved with its directory": `mv sub elsewhere; echo x > elsewhere/.git/HEAD`,
    "link to .git": `ln -s .git g; echo x > g/HEAD`,
    "work tree of another": `git --git-dir=${outside}/repository.git config a.b c; git clone -q . ${outside}/clone`,
    network: `bash -c 'echo x > /dev/tcp/127.0.0.1/${port}'`,
    "network by perl": perl(
      `use IO::Socket::INET; IO::Socket::INET->new("127.0.0.1:${port}") or die; print "connected"`,
    ),
    "network outwards": `bash -c 'echo x > /dev/tcp/1.1.1.1/80' && echo connected`,
    curl: `curl -s -m 2 http://127.0.0.1:${port}/ -d @mine`,
    "socket of another process": perl(
      `use IO::Socket::UNIX; IO::Socket::UNIX->new(Peer => "${socket}") or die; print "connected"`,
    ),
    "abstract socket": perl(
      `use IO::Socket::UNIX; IO::Socket::UNIX->new(Peer => "\\0retake-escape") or die; print "connected"`,
    ),
    "a key": `cat ${key}`,
    "a key by a link": `ln -s ${key} k; cat k`,
    "a key by tar": `tar -cf k.tar ${key}; grep -a PRIVATE k.tar`,
    "Retake's store": `cat ${own}/store; echo x > ${own}/store`,
    "Retake's approvals": `sqlite3 ${own}/retake.db "UPDATE approval_modes SET mode = 'all'"; rm -rf ${own}`,
    cron: `(crontab -l; echo '* * * * * touch ${outside}/new') | crontab -`,
    "shell profile": `echo 'touch ${outside}/new' >> ~/.bashrc; echo x >> ~/.profile`,
    "temporary directory of others": `ls ${"/tmp"}; echo x > ${outside}/../victim-of-tmp`,
  };
}
