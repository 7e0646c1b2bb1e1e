import { join, resolve } from 'node:path'
import { readSocials, type Socials } from './auth/social/socialsFile.ts'
import { bundlerProblems } from './bundler/bundlerConfig.ts'
import { type Chains, readChains } from './config/chainsFile.ts'
import { type Environment, environment } from './config/environment.ts'
import { describePlace } from './config/readJsonFile.ts'
import { swapProblems } from './convert/swapConfig.ts'
import { type OnrampConfig, readOnramp } from './onramp/onrampConfig.ts'
import { isLoopbackOrigin } from './projects/originAllowed.ts'
import { type RelayConfig, toRelayConfig } from './relay/relayConfig.ts'
import { StartError } from './startError.ts'

/** Everything the operator can set, parsed. `publicUrl` is an origin without a trailing slash. */
export type Config = {
  /** `relay` serves only the relay, without a database unless the operator configures it. */
  readonly role: 'all' | 'relay'
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** How long a request waits for a connection, and for the response to a statement. */
  readonly databaseTimeoutMs: number
  /** How long our own PostgreSQL may be down before the process ends. */
  readonly giveUpAfterMs: number
  /** The directory of the vault's keys. Back it up separately from the database. */
  readonly keyringDir: string
  readonly redisUrl: string | undefined
  readonly chains: Chains
  /** The secure frame, with its own listener and origin. */
  readonly frame: { readonly port: number; readonly url: string; readonly dist: string }
  /**
   * Providers of social login with their credentials, in the order in which they are offered. Not
   * for logs.
   */
  readonly socials: Socials
  /** The providers that sell crypto, with the operator's keys. Not for logs. */
  readonly onramp: OnrampConfig
  /** Folders of ERC-7730 files and of verified ABIs, which name what is signed. */
  readonly descriptorsDir: string | undefined
  readonly abisDir: string | undefined
  /** The path or URL of a list of sites and addresses to warn of. */
  readonly blockList: string | undefined
  /** The mail server; without it there is no email login. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** The address to notify when a limit for all users is reached. Not for logs. */
  readonly operatorEmail: string | undefined
  /** The limit for all logins together, so that an attacker cannot use the server to send spam. */
  readonly mailsPerHour: number
  /** The pause between two mails from the same browser or address to one mailbox. */
  readonly mailCooldownSeconds: number
  /** Mails to new browsers that one network address may request in an hour without a pause. */
  readonly emailLoginsPerHour: number
  /** Logins by providers that one network address may begin in an hour without a pause. */
  readonly socialLoginsPerHour: number
  /**
   * Whether a passkey alone begins an account, without an email address or a provider. If
   * `sponsored`, the operator also pays for what such an account does.
   */
  readonly passkeyAccounts: 'off' | 'on' | 'sponsored'
  /** How many such accounts one network address, and all together, may begin in an hour. */
  readonly passkeyAccountsPerHour: number
  readonly passkeyAccountsOfAllPerHour: number
  /**
   * The origins of the pages on which a wallet is made before recovery is set up; undefined for the
   * origins of `publicUrl`. If empty, recovery comes first everywhere.
   */
  readonly recoveryLaterOrigins: readonly string[] | undefined
  readonly webDist: string
  readonly webProjectId: string
  /** Networks of the web app in addition to those that this server has a node for. */
  readonly webNetworks: readonly string[]
  /** Whether accounts sign in to the web app. */
  readonly webSignIn: 'off' | 'optional' | 'required'
  readonly webSignInPer: 'namespace' | 'network'
  readonly webSignInKeep: 'token' | 'cookie'
  /**
   * The relay of the web app, if it is not this server's relay, and the project id from its
   * operator.
   */
  readonly webRelay: { readonly relayUrl: string; readonly projectId: string } | undefined
  readonly developmentWalletUrl: string | undefined
  readonly logLevel: Environment['LOG_LEVEL']
  /** How many proxies in front of the server are ours; 0 ignores `X-Forwarded-For`. */
  readonly trustedProxies: number
  readonly rateLimit: { readonly capacity: number; readonly refillPerSecond: number }
  readonly bodyLimitBytes: number
  /**
   * The number of WebSockets of the chain RPC that may be open at once, and the same number for
   * account events. The relay has its own limit.
   */
  readonly sockets: { readonly total: number; readonly perClient: number }
  /** Connections without a WebSocket that may be open at once, on each of the two ports. */
  readonly connections: { readonly total: number; readonly perClient: number }
  readonly keepAliveMs: number
  /** Memory in bytes for responses that are being sent. */
  readonly answerBytes: { readonly total: number; readonly perClient: number }
  /** The same for the secure frame, whose answers take nothing from the memory above. */
  readonly frameAnswerBytes: { readonly total: number; readonly perClient: number }
  /** The token for `/metrics`; without it, no one can read the metrics. */
  readonly metricsToken: string | undefined
  /**
   * The URL of the outside price source, including its key; without a trailing slash. Not for logs.
   */
  readonly priceSourceUrl: string | undefined
  readonly analytics: 'off' | 'log'
  readonly relay: RelayConfig
  /**
   * Private keys of the account that sends our bundler's transactions, and of the account whose
   * signature the paymaster accepts.
   */
  readonly bundlerKey: `0x${string}` | undefined
  readonly sponsorKey: `0x${string}` | undefined
  /** Whether the bundler answers debug methods to clients on this machine. */
  readonly bundlerDebug: boolean
  /**
   * The zones in which names can be registered, for example `latchkey.id`. New names are in the
   * first zone. Empty: names are off.
   */
  readonly nameZones: readonly string[]
  /**
   * The private key whose signature our resolver contract accepts; without it there is no gateway.
   */
  readonly nameSignerKey: `0x${string}` | undefined
  /** The aggregator of swaps: its address without a trailing slash, and its key. Not for logs. */
  readonly swapApi: { readonly url: string; readonly key: string | undefined }
  /** `host:port` pairs that may be fetched although they are not public or use plain http. */
  readonly outboundAllow: readonly string[]
  /** The gateway for `ipfs:` addresses, without a trailing slash. */
  readonly ipfsGateway: string | undefined
  readonly arweaveGateway: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** The number of clients that together can use up the memory for responses of the secure frame. */
const frameClients = 4

/**
 * Reads the configuration. Throws `SERVER_CONFIGURATION_INVALID` that names every wrong variable at
 * once.
 */
export function readConfig(env: Env): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(variables)
  const chains = readChains(variables.CHAINS_FILE)
  const socials = readSocials(variables.SOCIALS_FILE)
  const onramp = readOnramp(variables.ONRAMP_FILE)
  const problems = [
    ...(parsed.error?.issues.map(describePlace) ?? []),
    ...chains.problems,
    ...socials.problems,
    ...onramp.problems,
    ...(parsed.success ? frameProblems(parsed.data) : []),
    ...(parsed.success ? signInProblems(parsed.data) : []),
    ...(parsed.success ? bundlerProblems(chains.chains, parsed.data) : []),
    ...(parsed.success ? swapProblems(chains.chains, parsed.data) : []),
  ]
  if (!parsed.success || problems.length > 0)
    throw new StartError('SERVER_CONFIGURATION_INVALID', {
      data: { problems: problems.join('\n') },
    })
  const values = parsed.data
  return {
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    publicUrl: getPublicUrl(values),
    databaseUrl: values.DATABASE_URL,
    dataDir: resolve(values.DATA_DIR),
    databaseTimeoutMs: values.DATABASE_TIMEOUT_SECONDS * 1000,
    giveUpAfterMs: values.DATABASE_GIVE_UP_SECONDS * 1000,
    keyringDir: resolve(values.KEYRING_DIR ?? join(values.DATA_DIR, 'keyring')),
    redisUrl: values.REDIS_URL,
    chains: chains.chains,
    frame: {
      port: getFramePort(values),
      url: getFrameUrl(values),
      dist: resolve(values.FRAME_DIST),
    },
    socials: socials.socials,
    onramp: onramp.onramp,
    descriptorsDir: values.DESCRIPTORS_DIR,
    abisDir: values.ABIS_DIR,
    blockList: values.BLOCK_LIST,
    smtpUrl: values.SMTP_URL,
    mailsPerHour: values.MAILS_PER_HOUR,
    mailCooldownSeconds: values.MAIL_COOLDOWN_SECONDS,
    emailLoginsPerHour: values.EMAIL_LOGINS_PER_HOUR,
    socialLoginsPerHour: values.SOCIAL_LOGINS_PER_HOUR,
    passkeyAccounts: values.PASSKEY_ACCOUNTS,
    passkeyAccountsPerHour: values.PASSKEY_ACCOUNTS_PER_HOUR,
    passkeyAccountsOfAllPerHour: values.PASSKEY_ACCOUNTS_OF_ALL_PER_HOUR,
    mailFrom: values.MAIL_FROM ?? 'Latchkey <no-reply@localhost>',
    operatorEmail: values.OPERATOR_EMAIL,
    recoveryLaterOrigins: values.RECOVERY_LATER_ORIGINS,
    webDist: resolve(values.WEB_DIST),
    webProjectId: values.WEB_PROJECT_ID,
    webNetworks: values.WEB_NETWORKS,
    webSignIn: values.WEB_SIGN_IN,
    webSignInPer: values.WEB_SIGN_IN_PER,
    webSignInKeep: values.WEB_SIGN_IN_KEEP,
    webRelay: values.WEB_RELAY_URL
      ? {
          relayUrl: values.WEB_RELAY_URL,
          projectId: values.WEB_RELAY_PROJECT_ID ?? values.WEB_PROJECT_ID,
        }
      : undefined,
    developmentWalletUrl: values.DEVELOPMENT_WALLET_URL,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUST_PROXY,
    rateLimit: { capacity: values.RATE_LIMIT_BURST, refillPerSecond: values.RATE_LIMIT_PER_SECOND },
    bodyLimitBytes: values.BODY_LIMIT,
    sockets: { total: values.SOCKETS, perClient: values.SOCKETS_PER_CLIENT },
    connections: { total: values.CONNECTIONS, perClient: values.CONNECTIONS_PER_CLIENT },
    keepAliveMs: values.KEEP_ALIVE_SECONDS * 1000,
    answerBytes: { total: values.ANSWER_BYTES, perClient: values.ANSWER_BYTES_PER_CLIENT },
    frameAnswerBytes: {
      total: values.FRAME_ANSWER_BYTES,
      perClient: values.FRAME_ANSWER_BYTES / frameClients,
    },
    metricsToken: values.METRICS_TOKEN,
    analytics: values.ANALYTICS,
    relay: toRelayConfig(values),
    bundlerKey: values.BUNDLER_KEY,
    sponsorKey: values.SPONSOR_KEY,
    bundlerDebug: values.BUNDLER_DEBUG === 'on',
    nameZones: values.NAME_ZONES,
    nameSignerKey: values.NAME_SIGNER_KEY,
    swapApi: { url: values.SWAP_API_URL, key: values.SWAP_API_KEY },
    outboundAllow: values.OUTBOUND_ALLOW,
    ipfsGateway: values.IPFS_GATEWAY?.replace(/\/+$/, ''),
    arweaveGateway: values.ARWEAVE_GATEWAY?.replace(/\/+$/, ''),
    priceSourceUrl: getPriceSource(values),
  }
}

/**
 * The URL of a server that listens on `host` and `port`; an all-interfaces address is reached by
 * loopback.
 */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const getPublicUrl = ({ PUBLIC_URL, HOST, PORT }: Environment) =>
  new URL(PUBLIC_URL ?? localUrl(HOST, PORT)).origin

/** The URL with the key in place of `{key}`. */
const getPriceSource = ({ PRICE_SOURCE_URL, PRICE_SOURCE_KEY = '' }: Environment) =>
  PRICE_SOURCE_URL?.replace('{key}', () => encodeURIComponent(PRICE_SOURCE_KEY)).replace(/\/+$/, '')

/** The port after the web app's port, or any free port if the web app uses any free port. */
const getFramePort = ({ PORT, FRAME_PORT }: Environment) =>
  FRAME_PORT >= 0 ? FRAME_PORT : PORT === 0 || PORT === 65535 ? 0 : PORT + 1

const getFrameUrl = (values: Environment) =>
  new URL(values.FRAME_URL ?? localUrl(values.HOST, getFramePort(values))).origin

/** Finds a secure frame that shares the public origin, and mails without a sender or a server. */
function frameProblems(values: Environment): string[] {
  const publicUrl = getPublicUrl(values)
  const frameUrl = getFrameUrl(values)
  // By default both have a free port, which is determined later.
  const free = values.FRAME_URL === undefined && getFramePort(values) === 0
  const shared = frameUrl === publicUrl && !free
  const remote = values.SMTP_URL !== undefined && !isLoopbackOrigin(frameUrl)
  return [
    ...(shared ? ['FRAME_URL: must have a different origin than PUBLIC_URL'] : []),
    ...(remote && values.MAIL_FROM === undefined
      ? ['MAIL_FROM: must be set with SMTP_URL, such as Latchkey <no-reply@example.com>']
      : []),
    ...(values.OPERATOR_EMAIL !== undefined && values.SMTP_URL === undefined
      ? ['OPERATOR_EMAIL: needs SMTP_URL']
      : []),
  ]
}

/**
 * Finds cookie sign-ins on an origin for which browsers do not report that a page is on the
 * server's site, so that no one could sign in.
 */
function signInProblems(values: Environment): string[] {
  const publicUrl = getPublicUrl(values)
  const isUsed = values.WEB_SIGN_IN !== 'off' && values.WEB_SIGN_IN_KEEP === 'cookie'
  return isUsed && !publicUrl.startsWith('https:') && !isLoopbackOrigin(publicUrl)
    ? ['WEB_SIGN_IN_KEEP: cookie needs a PUBLIC_URL with https, or on this machine']
    : []
}

/**
 * The frame's origin, if visitors of the web app can reach it: undefined if the frame has its
 * loopback default and the web app is public.
 */
export const getPublicFrameUrl = ({ frame, publicUrl }: Pick<Config, 'frame' | 'publicUrl'>) =>
  isLoopbackOrigin(frame.url) === isLoopbackOrigin(publicUrl) ? frame.url : undefined
