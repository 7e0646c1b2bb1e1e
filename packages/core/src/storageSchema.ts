import { type ChainId, isChainId, isNamespace, type Namespace } from '@latchkey/wire'
import type { Account, Contact, PeerWallet, RecentWallet } from './state.ts'

// Parsed by hand: a schema library is as large as everything else that a page loads before the
// modal opens (7.5 kB).

/** Reads a value from parsed JSON. Throws any error if the value has another shape. */
export type Read<T> = (value: unknown) => T

export type SavedConnection = {
  connectorId: string
  chainId: ChainId
  /** The current account first. */
  accounts: readonly [Account, ...Account[]]
  wallet?: PeerWallet
}

export const check = (holds: boolean) => {
  if (!holds) throw new TypeError('Unexpected stored value')
}

export const storedText: Read<string> = (value) => {
  check(typeof value === 'string')
  return value as string
}

export const number: Read<number> = (value) => {
  check(typeof value === 'number')
  return value as number
}

const flag: Read<boolean> = (value) => {
  check(value === true)
  return true
}

const oneOf =
  <T extends string>(...allowed: readonly T[]): Read<T> =>
  (value) => {
    check(allowed.includes(value as T))
    return value as T
  }

export const storedList =
  <T>(read: Read<T>): Read<T[]> =>
  (value) => {
    check(Array.isArray(value))
    return (value as unknown[]).map(read)
  }

export const fields = (value: unknown): Readonly<Record<string, unknown>> => {
  check(typeof value === 'object' && value !== null && !Array.isArray(value))
  return value as Record<string, unknown>
}

export const storedRecord =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(fields(value)).map(([key, entry]) => [key, read(entry)]))

export const chainId: Read<ChainId> = (value) => {
  check(typeof value === 'string' && isChainId(value))
  return value as ChainId
}

const account: Read<Account> = (value) => {
  const { namespace, address, type, label } = fields(value)
  check(isNamespace(storedText(namespace)))
  check(type === 'eoa' || type === 'smartAccount' || type === 'payment')
  return {
    namespace: namespace as Namespace,
    address: storedText(address),
    type: type as Account['type'],
    ...(label === 'ordinals' && { label }),
    ...texts(value, 'path'),
  }
}

/** The named properties that are strings. */
const texts = <Name extends string>(value: unknown, ...names: Name[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const entry = fields(value)[name]
      return entry === undefined ? [] : [[name, storedText(entry)]]
    }),
  ) as { [Key in Name]?: string }

export const peerWallet: Read<PeerWallet> = (value) => ({
  name: storedText(fields(value).name),
  ...texts(value, 'iconUrl', 'walletId', 'imageId'),
})

const connection: Read<SavedConnection> = (value) => {
  const saved = fields(value)
  const [first, ...rest] = storedList(account)(saved.accounts)
  check(first !== undefined)
  return {
    connectorId: storedText(saved.connectorId),
    chainId: chainId(saved.chainId),
    accounts: [first as Account, ...rest],
    ...(saved.wallet !== undefined && { wallet: peerWallet(saved.wallet) }),
  }
}

const isOf = (own: string | undefined, { chainId: id, accounts }: SavedConnection) =>
  id.startsWith(`${own}:`) && accounts.every(({ namespace }) => namespace === own)

/** Connections by namespace; leaves out any with a chain or an account of another namespace. */
const connections: Read<Record<string, SavedConnection>> = (value) =>
  Object.fromEntries(
    Object.entries(storedRecord(connection)(value)).filter(([own, one]) => isOf(own, one)),
  )

const link: Read<{ href: string; name: string }> = (value) => {
  const { href, name } = fields(value)
  return { href: storedText(href), name: storedText(name) }
}

const wallet: Read<RecentWallet> = (value) => ({
  id: storedText(fields(value).id),
  name: storedText(fields(value).name),
  ...texts(value, 'iconUrl', 'rdns', 'walletId'),
})

const contact: Read<Contact> = (value) => {
  const { namespace, name, address } = fields(value)
  check(isNamespace(storedText(namespace)))
  return {
    namespace: namespace as Namespace,
    name: storedText(name),
    address: storedText(address),
  }
}

/** Reads an entry as a list, empty if the entry cannot be read, so that the other entries stay. */
const readable =
  <T>(read: Read<T>): Read<T[]> =>
  (value) => {
    try {
      return [read(value)]
    } catch {
      return []
    }
  }

/** How many connections are kept in addition to those in use. */
export const maxFurtherConnections = 10

/** A list of connections; leaves out any that is invalid or has an account of another namespace. */
const furtherConnections: Read<SavedConnection[]> = (value) =>
  storedList(readable(connection))(value)
    .flat()
    .filter((one) => isOf(one.chainId.split(':')[0], one))
    .slice(0, maxFurtherConnections)

const contacts: Read<Contact[]> = (value) => storedList(readable(contact))(value).flat()

const notes: Read<Record<string, string>> = (value) =>
  Object.fromEntries(
    Object.entries(fields(value)).flatMap(([key, note]) =>
      readable(storedText)(note).map((text) => [key, text] as const),
    ),
  )

/** Responses by id, each with the time at which its read began. Their readers parse the content. */
const answers = storedRecord((value) => {
  const answer = fields(value)
  return { ...answer, atMs: number(answer.atMs) } as { atMs: number; [name: string]: unknown }
})

/** The entries that persist between visits, each with the function that parses it. */
export const entries = {
  connections,
  /** Wallets that are connected but not in use, the latest used first. */
  furtherConnections,
  /** Connectors that the user disconnected on purpose; they are not reconnected. */
  disconnected: storedList(storedText),
  activeChainId: chainId,
  /** The last setting of the page's own switch; the page decides whether it has a switch. */
  themeMode: oneOf('dark', 'light', 'system'),
  /** Whether the user has hidden the offer to connect a wallet's further namespaces. */
  hidesFurther: flag,
  recentWallets: storedList(wallet),
  contacts,
  /** Base link and name of the wallet that a link has opened, until the connection is made. */
  openedLink: link,
  /**
   * Base link and name of the connected wallet. The link brings the wallet to the front for each
   * request.
   */
  walletLink: link,
  /**
   * Until when an offered pairing can be answered, so that an approval that arrived while the page
   * was closed is found.
   */
  offeredUntilMs: number,
  /** Whether a user is logged in by email. Only then does the secure frame load at start. */
  emailLoginUsed: flag,
  /** When the user signed out, if the secure frame has not completed the sign-out yet. */
  signOutAtMs: number,
  email: storedText,
  /** Whether the embedded wallet has no way of recovery. */
  lacksRecovery: flag,
  /** Provider and user name of a login at a provider. */
  social: storedRecord(storedText),
  /** The address of a pending login; counts for half an hour after `lastEmailLoginMs`. */
  pendingEmail: storedText,
  /** When an email was last requested; removed after a successful login. */
  lastEmailLoginMs: number,
  /** The server's cooldown before another email; 30 s if missing. */
  emailCooldownMs: number,
  /** The last network of the embedded wallet. */
  lastUsedChainId: chainId,
  /** By namespace. */
  preferredAccountTypes: storedRecord(storedText),
  /** Comma-joined chain ids. */
  smartAccountNetworks: storedText,
  /** The secure frame's id of this browser; useless on its own. */
  knownDevice: storedText,
  /** By `${chainId}:${address}`, in the smallest unit. */
  nativeBalances: answers,
  /** Responses about names. */
  names: answers,
  /** Sign-ins with a wallet; parsed by their reader. */
  siwxSessions: storedList((entry) => entry),
  /** Unfinished purchases that began here; parsed by their reader. */
  onrampOrders: (value: unknown) => value,
  /** Recipients of transfers from here, the latest last. */
  recipients: storedList(storedText),
  /** Swaps that began here and whose outcome is unknown; parsed by their reader. */
  sentSwaps: (value: unknown) => value,
  /** The swap form, in the tab's storage; parsed by its reader. */
  swapDraft: (value: unknown) => value,
  /** The directory's first wallets; parsed by their reader. */
  directoryWallets: (value: unknown) => value,
  /** By `${chainId}:${address}`. */
  portfolios: answers,
  /** The user's notes about transactions, by network and hash, the latest last. */
  activityNotes: notes,
}
