/**
 * Paths hidden from confined commands: keys, paths that lead to keys, and records of a person's actions. The list errs
 * on the safe side: a command that needs one of these can be run outside of the confinement, with a question.
 */
export const KEYS_IN_HOME: readonly string[] = [
  ...[".ssh", ".gnupg", ".pki", ".password-store", ".age", ".config/sops", ".config/age", ".vault-token", ".netrc"],
  ...[
    "_netrc",
    ".authinfo",
    ".authinfo.gpg",
    ".git-credentials",
    ".config/git/credentials",
    ".config/hub",
    ".subversion",
  ],
  ...[".aws", ".azure", ".boto", ".s3cfg", ".oci", ".kube", ".docker", ".config/containers/auth.json", ".helm"],
  ...[".config/gcloud", ".config/doctl", ".config/gh", ".config/glab-cli", ".config/rclone", ".config/op", ".fly"],
  ...[".config/heroku", ".config/netlify", ".config/vercel", ".config/stripe", ".config/configstore", ".wrangler"],
  ...[".config/.wrangler", ".terraformrc", ".terraform.d", ".pulumi", ".databrickscfg", ".config/flyctl", ".ngrok2"],
  ...[".config/ngrok", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pypoetry", ".config/pip", ".pip"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".bundle/config", ".m2/settings.xml"],
  ...[".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget", ".composer/auth.json", ".config/composer"],
  ...[".hex", ".config/hex", ".pgpass", ".my.cnf", ".mylogin.cnf", ".cache/huggingface/token", ".huggingface"],
  ...[".kaggle", ".wandb", ".config/wandb", ".claude", ".claude.json", ".codex", ".gemini", ".config/opencode"],
  ...[".local/share/opencode", ".config/github-copilot", ".config/openai", ".anthropic", ".aider.conf.yml"],
  ...[".local/share/keyrings", ".local/share/kwalletd", "Library/Keychains", "Library/Cookies", ".config/1Password"],
  ...[".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge"],
  ...[
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox",
    ".thunderbird",
    "Library/Mail",
  ],
  ...["Library/Messages", ".bitcoin", ".ethereum", ".electrum", ".config/solana", ".Xauthority", ".ICEauthority"],
  ...[".bash_history", ".zsh_history", ".local/share/fish/fish_history", ".python_history", ".node_repl_history"],
  ...[".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".lesshst", ".viminfo"],
];

/** Readable for root and in a container. */
export const KEYS_OF_SYSTEM: readonly string[] = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d"],
  ...["/etc/ssl/private", "/etc/ssh/ssh_host_rsa_key", "/etc/ssh/ssh_host_ecdsa_key", "/etc/ssh/ssh_host_ed25519_key"],
  ...["/etc/kubernetes", "/etc/docker", "/etc/wireguard", "/etc/NetworkManager/system-connections", "/var/lib/docker"],
  ...["/var/lib/kubelet", "/var/lib/containerd", "/var/spool/cron", "/var/mail"],
];

/** Links to the system's programs on some systems, inside a directory that is hidden for its sockets. */
export const RUNTIME_LINKS: readonly string[] = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];
