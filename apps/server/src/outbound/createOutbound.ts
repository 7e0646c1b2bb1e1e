import { promises as dns } from 'node:dns'
import { setMaxListeners } from 'node:events'
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Counter } from 'prom-client'
import type { ResponseMemory } from '../http/createResponseMemory.ts'
import type { Services } from '../services.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './createConcurrencyLimit.ts'
import { type OutboundRules, toDialHost } from './readTarget.ts'

/**
 * A response: `url` after redirects, `type` in lower case without parameters. The bytes are shared
 * between callers: do not change them.
 */
export type FetchedContent = { readonly url: string; readonly type: string; readonly bytes: Buffer }

/**
 * The client for untrusted URLs. Pass it to {@link fetchOutside}. There is one instance per
 * process.
 */
export type Outbound = OutboundRules & {
  /** Hosts that the operator has configured, in the form used for dialing. */
  readonly operatorHosts: ReadonlySet<string>
  /** Keyed by {@link siteOf}. */
  readonly concurrency: ConcurrencyLimit
  readonly pending: Map<string, Promise<FetchedContent>>
  readonly fetches: Counter<'outcome'>
  readonly ownAddresses: () => readonly string[]
  readonly stopping: AbortSignal | undefined
  readonly responseMemory: ResponseMemory
} & NetworkAccess

/**
 * How names are resolved and connections are opened. `ca` replaces the public certificate
 * authorities.
 */
export type NetworkAccess = {
  readonly resolve: (host: string, options: { readonly trusted: boolean }) => Promise<string[]>
  readonly dial: (options: TcpNetConnectOpts) => Socket
  readonly ca: string | undefined
}

type Options = Partial<NetworkAccess> & { readonly stopping?: AbortSignal }

const limits = {
  ...{ total: 24, perKey: 4, perClient: 12, slow: 6 },
  ...{ waiting: 100, waitingInAll: 1_000, waitingPerClient: 250 },
}

export function createOutbound(
  { config, metrics, responseMemory }: Pick<Services, 'config' | 'metrics' | 'responseMemory'>,
  options: Options = {},
): Outbound {
  const fetches = new Counter({
    name: 'latchkey_outbound_fetches_total',
    help: 'Fetches of third-party URLs, by outcome',
    labelNames: ['outcome'] as const,
    registers: [metrics.registry],
  })
  const { outboundAllow, ipfsGateway, arweaveGateway, publicUrl, frame } = config
  const namedUrls = [
    ...outboundAllow.map((at) => `http://${at}`),
    ...[ipfsGateway, arweaveGateway].filter((url) => url !== undefined),
  ]
  const operatorHosts = new Set(namedUrls.map((url) => toDialHost(new URL(url).hostname)))
  // Every running fetch listens to this signal.
  if (options.stopping) setMaxListeners(0, options.stopping)
  return {
    allow: new Set(outboundAllow),
    // A picture on this server could name itself as its source.
    ownNames: new Set([publicUrl, frame.url].map((url) => new URL(url).hostname)),
    operatorHosts,
    concurrency: createConcurrencyLimit(limits, { steady: operatorHosts }),
    pending: new Map(),
    responseMemory,
    fetches,
    ownAddresses,
    resolve: options.resolve ?? resolveName(),
    dial: options.dial ?? connect,
    ca: options.ca,
    stopping: options.stopping,
  }
}

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

function resolveName(): NetworkAccess['resolve'] {
  // Do not use the system's lookup here: four slow names would block all file access. The lookup is
  // only for names that the operator allowed, which may be in /etc/hosts.
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  return async (host, { trusted }) => {
    if (isIP(host) !== 0) return [host]
    if (trusted)
      return (await dns.lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
