import { type ActivityEvent, type ChainId, isError } from '@latchkey/wire'
import type { WebSocket } from 'ws'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import type { Asker } from '../activity/activity.ts'
import { getAsker } from '../activity/asker.ts'
import { clientAddress, getOrigin } from '../http/clientAddress.ts'
import { createSender } from '../http/createSender.ts'
import { createSocketLimit } from '../http/createSocketLimit.ts'
import { badRequest, busy, type Failure } from '../http/failure.ts'
import { findChain, unknownChain } from '../http/findChain.ts'
import type { Services, SocketRoute } from '../services.ts'
import type { AccountEvents } from './accountEvents.ts'
import { activityArea } from './activityArea.ts'

type EventsRouteDeps = Pick<Services, 'config' | 'log' | 'responseMemory' | 'kv'>

export type EventsLimits = {
  /** Between two messages about one account. */
  readonly everyMs: number
  /** Bytes a slow reader may let pile up. */
  readonly backlogBytes: number
}

const defaultLimits: EventsLimits = {
  everyMs: 250,
  backlogBytes: 256 * 1024,
}
const maxChains = 20

/**
 * The WebSocket `/v1/account-events?projectId=…&chainId=…&address=…` (`chainId` may be a list by
 * commas; without it all networks): sends an {@link ActivityEvent} as JSON when the activity of the
 * account changes or more of it is indexed: at most four events a second per network, always
 * including the last. After connecting, sends the progress of each network. Networks with an
 * outside source of activity have no events. Messages from the client are ignored.
 */
export function eventsUpgrade(
  services: EventsRouteDeps,
  events: AccountEvents,
  limits: EventsLimits = defaultLimits,
): SocketRoute {
  const socketLimit = createSocketLimit('events', services)
  return {
    messageMaxBytes: 1_024,
    async admit(url, request) {
      const accounts = readAccounts(services, url)
      if ('status' in accounts) return accounts
      const failure = await socketLimit.admit(request)
      if (failure) return failure
      const origin = getOrigin(request)
      const client = clientAddress(origin, services.config.trustedProxies)
      const asker = getAsker(services.config, origin)
      return (socket) => {
        const reservation = services.responseMemory.open(client, 0)
        if (reservation === undefined) {
          socket.close(1013, busy.description)
          return
        }
        const sendText = createSender(socket, { ...services, ...limits, reservation, request })
        for (const account of accounts)
          streamEvents(socket, account, { ...services, events, limits, sendText, asker })
      }
    },
  }
}

type Account = { readonly chainId: ChainId; readonly address: string }

/** The requested accounts that have events here. */
function readAccounts({ config }: EventsRouteDeps, url: URL): Account[] | Failure {
  const account = parseAccountAddress(url.searchParams.get('address') ?? '')
  if (account === undefined) return invalidAccountAddress(undefined)
  const chainParam = url.searchParams.get('chainId')
  const names = chainParam === null ? Object.keys(config.chains) : chainParam.split(',')
  if (names.length > maxChains && chainParam !== null)
    return badRequest('chainId', `At most ${maxChains} networks can be followed on one socket`)
  const chainIds = new Set<ChainId>()
  for (const name of names) {
    const chain = findChain(config, name)
    if (chain === undefined) return unknownChain(name)
    chainIds.add(chain.chainId)
  }
  return [...chainIds]
    .filter((id) => isInNamespace(id, account))
    .filter((id) => activityArea(config, id).on)
    .filter((id) => (config.chains[id]?.activity?.source ?? 'rpc') === 'rpc')
    .map((chainId) => ({ chainId, address: account.address }))
}

type Means = Pick<Services, 'log'> & {
  readonly events: AccountEvents
  readonly limits: EventsLimits
  readonly sendText: (text: string) => void
  readonly asker: Asker
}

/** Sends the events of one account to a socket until it closes. */
function streamEvents(
  socket: WebSocket,
  account: Account,
  { events, limits, log, sendText, asker }: Means,
): void {
  const pending = new Set<ActivityEvent['type']>(['sync'])
  let timer: NodeJS.Timeout | undefined
  let sending = false
  const createEvent = async (type: ActivityEvent['type']): Promise<ActivityEvent> =>
    type === 'changed'
      ? { type, chainId: account.chainId }
      : { type, chainId: account.chainId, sync: await events.sync(account) }
  const send = async () => {
    // Changes come before progress.
    const type = pending.has('changed') ? 'changed' : 'sync'
    if (timer !== undefined || sending || !pending.delete(type)) return
    sending = true
    try {
      const text = JSON.stringify(await createEvent(type))
      if (socket.readyState !== socket.OPEN) return
      sendText(text)
      timer = setTimeout(() => {
        timer = undefined
        void send()
      }, limits.everyMs)
    } catch (error) {
      if (!isError(error)) log.error({ err: error }, 'account events failed')
      // Only a new connection can catch up on missed events.
      socket.close(1012, 'Activity updates are unavailable. Connect again')
    } finally {
      sending = false
    }
  }
  const stopListening = events.listen(
    account,
    ({ type }) => {
      pending.add(type)
      void send()
    },
    asker,
  )
  socket.on('close', () => {
    stopListening()
    clearTimeout(timer)
  })
  void send()
}
