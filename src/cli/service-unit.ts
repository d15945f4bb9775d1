/**
 * The unit by which systemd runs the server: a user made for it, one folder that it may write, and nothing else of the
 * machine. Printed by service.ts; docs/deploy/sabre.service is this for the paths of the container image. Touches no file.
 */

/** What of the machine the unit names. */
export interface Installation {
  /** Absolute path of node. */
  readonly node: string;
  /** Absolute path of sabre.mjs. */
  readonly program: string;
}

/** The file with the options of the server: SABRE_ADMIN_KEY=... and so on, a line each. Read by systemd, as root. */
export const OPTIONS_FILE = '/etc/sabre/sabre.env';
export const UNIT_FILE = '/etc/systemd/system/sabre.service';

/** Whether `path` lies where units usually see nothing. */
export const isInHome = (path: string): boolean => /^\/(home|root|run\/user)\//.test(path);

/** `path` as one word of a command line of systemd, which would replace % and $. */
function quote(path: string): string {
  const text = path.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w./+@%$:-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns the text of the unit for `installation`. */
export function serviceUnit({ node, program }: Installation): string {
  const homes = [node, program].some(isInHome) ? 'read-only' : 'yes';
  return `[Unit]
Description=Sabre search server
After=network.target
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${quote(node)} ${quote(program)}
Environment=NODE_ENV=production SABRE_DATA_DIR=/var/lib/sabre
# Options, a line each: SABRE_ADMIN_KEY=..., SABRE_LISTEN=127.0.0.1:8108. Only root needs to read it.
EnvironmentFile=-${OPTIONS_FILE}

# A stop takes SABRE_DRAIN_TIMEOUT_MS (10 s) at most, and loses nothing that was acknowledged even when it is killed.
KillMode=mixed
TimeoutStopSec=15
Restart=on-failure
RestartSec=2

# Every connection takes a descriptor. The server takes 65,536 connections where the limit allows.
LimitNOFILE=131072
# The server keeps to three quarters of MemoryMax, when it is set here, or of the machine.

# Its user exists while it runs, and owns /var/lib/sabre alone.
DynamicUser=yes
StateDirectory=sabre
StateDirectoryMode=0700
UMask=0077

ProtectSystem=strict
ProtectHome=${homes}
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateUsers=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
# V8 protects its memory with keys, where the processor has them.
SystemCallFilter=@system-service @pkey
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# Not MemoryDenyWriteExecute: compilers of JavaScript and WebAssembly write the machine code that they run.

[Install]
WantedBy=multi-user.target
`;
}
