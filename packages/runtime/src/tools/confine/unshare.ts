import type { ConfinedPlace, HiddenPath } from "./confined-place.ts";

/**
 * The arguments that run a program in the place with util-linux and perl: `unshare` makes namespaces, a perl script mounts
 * what the program is to find, `setpriv` gives up the right to change it. Perl, because a mount is then a system call and
 * not a process: a shell script took ten times as long. The script stays as the first process of the namespace, and with
 * it all others end.
 *
 * A user who is not root is root in the outer of two user namespaces, to mount, and himself in the inner one. Mounts
 * of the outer one cannot be changed in the inner one.
 */
export function unshare(programs: UnsharePrograms, program: readonly string[], place: ConfinedPlace): string[] {
  const isRoot = process.getuid?.() === 0;
  const names = ["--mount", "--pid", "--fork", "--kill-child", "--net", "--ipc", "--uts"];
  const mapped = isRoot ? [] : ["--user", "--map-root-user"];
  const mounter = [programs.perl, "-e", SCRIPT, String(MOUNT_CALLS[process.arch] ?? -1), isRoot ? "1" : "0"];
  const dropping = withoutRights(programs, isRoot);
  return [programs.unshare, ...mapped, ...names, ...mounter, ...steps(place), "--", ...dropping, ...program];
}

/** Their absolute paths. */
export interface UnsharePrograms {
  readonly unshare: string;
  readonly setpriv: string;
  readonly perl: string;
}

/** The number of the system call `mount`. */
const MOUNT_CALLS: Partial<Record<string, number>> = {
  x64: 165,
  ...{ arm64: 40, riscv64: 40, loong64: 40 },
  ...{ arm: 21, ia32: 21, ppc64: 21, s390x: 21 },
};

function steps({ root, temporary, readOnly, hiddenAround, hidden, shown }: ConfinedPlace): string[] {
  return [
    ...["writable", temporary, "/tmp", "writable", temporary, "/var/tmp"],
    ...hiddenAround.flatMap(hide),
    ...shown.flatMap((path) => ["shown", path, path]),
    ...["writable", root, root],
    ...readOnly.flatMap((path) => ["shown", path, path]),
    ...hidden.flatMap(hide),
    ...["enter", root, root],
  ];
}

function hide({ path, directory }: HiddenPath): string[] {
  return [directory ? "empty" : "null", path, path];
}

function withoutRights({ unshare, setpriv }: UnsharePrograms, isRoot: boolean): string[] {
  const drop = ["--inh-caps=-all", "--no-new-privs"];
  if (isRoot) return [setpriv, "--bounding-set=-all,+dac_override,+chown,+fowner", ...drop];
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return [unshare, "--user", `--map-user=${user}`, `--map-group=${group}`, setpriv, ...drop];
}

/** Arguments: the number of `mount`, whether it is root, steps of three words, `--`, the program. */
const SCRIPT = String.raw`
my ($number, $root, @steps) = (shift, shift);
while (@ARGV && $ARGV[0] ne '--') { push @steps, [splice @ARGV, 0, 3] }
shift;
sub fail { print STDERR "$_[0]: $!\n"; exit 125 }
sub mounts { my ($from, $to, $type, $flags, $data) = map { "$_" } @_; syscall($number + 0, $from, $to, $type, $flags + 0, $data) == 0 or fail("mount $to") }
sub sets { my ($path, $flags, $set, $clear) = @_; my $how = pack('Q4', $set, $clear, 0, 0); syscall(442, -100, "$path", $flags, $how, 32) == 0 or fail("mount_setattr $path") }
sub makes { my ($path, $at) = (shift, ''); for (grep { $_ ne '' } split m{/}, $path) { $at .= "/$_"; -e $at || mkdir $at or fail($at) } }
my ($BIND, $MOVE, $REC, $RO) = (4096, 8192, 16384, 1);
# Kept open: a source may be hidden by the time it is mounted.
my %open; for (@steps) { my ($how, $from) = @$_; next unless $how eq 'writable' || $how eq 'shown'; -d $from ? opendir($open{$from}, $from) : open($open{$from}, '<', $from) or fail($from) }
sets('/', 0x8000, $RO, 0);
# Devices that belong to nobody: those of the machine are root's to write to.
mounts('retake', '/dev/shm', 'tmpfs', 2, 'mode=755');
for (qw(null zero full random urandom tty)) { open(my $new, '>', "/dev/shm/$_") or fail($_); mounts("/dev/$_", "/dev/shm/$_", '', $BIND, '') }
symlink('/proc/self/fd', '/dev/shm/fd'); symlink("/proc/self/fd/$_->[0]", "/dev/shm/$_->[1]") for ([0, 'stdin'], [1, 'stdout'], [2, 'stderr']);
mkdir '/dev/shm/pts'; mounts('devpts', '/dev/shm/pts', 'devpts', 2 | 8, 'newinstance,ptmxmode=0666,mode=620'); symlink('pts/ptmx', '/dev/shm/ptmx');
mkdir '/dev/shm/shm'; chmod 01777, '/dev/shm/shm';
mounts('/dev/shm', '/dev', '', $MOVE, '');
my @empty;
for (@steps) {
  my ($how, $from, $path) = @$_;
  if ($how eq 'writable' || $how eq 'shown') {
    makes($path) unless -e $path;
    mounts('/proc/self/fd/' . fileno($open{$from}), $path, '', $BIND | $REC, '');
    sets($path, 0x8000, $how eq 'shown' ? ($RO, 0) : (0, $RO));
  } elsif ($how eq 'empty') { makes($path) unless -e $path; mounts('retake', $path, 'tmpfs', 2 | 4, 'size=64k,mode=755'); push @empty, $path }
  elsif ($how eq 'null') { mounts('/dev/null', $path, '', $BIND, '') }
  else { sets($_, 0, $RO, 0) for @empty; chdir $path or fail($path) }
}
%open = ();
# Read-only for root, who owns the settings of the kernel. The inner namespace of others is set up through it.
mounts('proc', '/proc', 'proc', 2 | 4 | 8 | $root, '');
my ($socket, $up) = (undef, pack('a16sx22', 'lo', 0x41));
socket($socket, 2, 2, 0) && ioctl($socket, 0x8914, $up) or fail('loopback');
my $child = fork; defined $child or fail('fork');
if (!$child) { exec @ARGV; fail($ARGV[0]) }
while ((my $ended = wait) != -1) { exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $ended == $child }
`;
