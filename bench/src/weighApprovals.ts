import type { Plugin, Rolldown } from 'vite'
import { closure } from './buildClient.ts'
import { kB, type Row } from './measure/printRows.ts'

/**
 * Bytes, gzipped, that one kind of approval loads until it can be given. `usual`: in a browser that
 * vouches for visibility, of a request that needs nothing rare. `max`: with all that it may need.
 */
export type KindWeight = { readonly name: string; readonly usual: number; readonly max: number }

export type ApprovalsWeight = {
  readonly kinds: readonly KindWeight[]
  /** Modules that requests and approvals load later, and that no kind counts. */
  readonly uncounted: readonly string[]
}

const limitBytes = 40_000
const always = ['requests/approveRequest.ts', 'picture/drawings.ts']
/**
 * One of both: in the frame, or a window of ours where the browser does not vouch for visibility.
 */
const screens = ['approval/ApprovalScreen.tsx', 'approval/ApprovalWindowScreen.tsx']
/** Names for what the frame cannot read itself. */
const unread = ['descriptions/describeUnread.ts', 'descriptions/askDescription.ts']

type Kind = {
  readonly name: string
  readonly parts: readonly string[]
  /** What only some of these requests need. */
  readonly rare?: readonly string[]
}

const approvals: readonly Kind[] = [
  { name: 'a transaction', parts: ['evm/prepareTransaction.ts'], rare: unread },
  {
    name: 'a transaction that replaces another',
    parts: ['evm/prepareReplacement.ts'],
    rare: unread,
  },
  {
    name: 'a transaction that the operator may pay for',
    parts: ['calls/prepareSponsored.ts'],
    rare: ['evm/prepareTransaction.ts', ...unread],
  },
  {
    name: 'a batch of a smart account',
    parts: ['calls/prepareCalls.ts', 'operation/prepareOperation.ts'],
    rare: unread,
  },
  {
    name: 'a batch one by one',
    parts: ['calls/prepareCalls.ts', 'calls/prepareOneByOne.ts'],
    rare: unread,
  },
  { name: 'a user operation', parts: ['calls/prepareUserOperation.ts'], rare: unread },
  { name: 'a message', parts: ['requests/prepareMessage.ts'] },
  { name: 'connecting with a sign-in', parts: ['connect/prepareConnect.ts'] },
  { name: 'a token to list', parts: ['evm/prepareWatchAsset.ts'] },
  { name: 'typed data', parts: ['evm/typedData/prepareTypedData.ts'], rare: unread },
  { name: 'granting permissions', parts: ['permissions/prepareGrant.ts'] },
  { name: 'revoking permissions', parts: ['permissions/prepareRevoke.ts'] },
  {
    name: 'a Solana transaction',
    parts: ['solana/prepareSolanaTransactions.ts', 'solana/fetchTokenClaims.ts'],
  },
  { name: 'a Solana message', parts: ['solana/prepareSolanaMessage.ts'] },
]
/**
 * Not before an approval can be given: editing its amount, what follows the press, and requests
 * that need no approval.
 */
const later = [
  'approval/AmountEditor.tsx',
  'flows/confirmUnlimited.ts',
  'meeting/sealedMeeting.ts',
  'calls/answerCalls.ts',
  'evm/sentTransactions.ts',
  'assets/answerAssets.ts',
]

/** Collects what modules of requests and approvals import only when they need it. */
export const collectLazy = (found: Set<string>): Plugin => ({
  name: 'collect-lazy',
  buildEnd() {
    for (const id of this.getModuleIds())
      if (/frame\/src\/(requests|approval)\//.test(id))
        for (const lazy of this.getModuleInfo(id)?.dynamicallyImportedIds ?? []) found.add(lazy)
  },
})

/**
 * Weighs each kind of approval beyond the `loaded` chunks. `weigh`: the bytes of chunks by their
 * names.
 */
export function weighApprovals(given: {
  readonly chunks: readonly Rolldown.OutputChunk[]
  readonly loaded: ReadonlySet<string>
  readonly lazy: ReadonlySet<string>
  readonly weigh: (names: ReadonlySet<string>) => number
}): ApprovalsWeight {
  const { chunks, loaded, lazy, weigh } = given
  const weighModules = (paths: readonly string[]) => {
    const names = paths.reduce(
      (found, path) => closure(chunks, getChunk(chunks, path), found),
      new Set(loaded),
    )
    return weigh(names) - weigh(loaded)
  }
  const counted = [
    ...always,
    ...screens,
    ...approvals.flatMap(({ parts, rare = [] }) => [...parts, ...rare]),
    ...later,
  ]
  return {
    kinds: approvals.map(({ name, parts, rare = [] }) => {
      const [usual = 0] = screens.map((one) => weighModules([...always, one, ...parts]))
      const all = screens.map((one) => weighModules([...always, one, ...parts, ...rare]))
      return { name, usual, max: Math.max(...all) }
    }),
    uncounted: [...lazy].filter((id) => !counted.some((path) => id.endsWith(`/${path}`))),
  }
}

/** Throws for a module that is in none. */
function getChunk(chunks: readonly Rolldown.OutputChunk[], path: string): string {
  const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${path}`)))
  if (!found) throw new Error(`No chunk has ${path}`)
  return found.fileName
}

/** What each kind of approval weighs, beside its limit. */
export const approvalRows = ({ kinds, uncounted }: ApprovalsWeight): Row[] => [
  ...kinds.map(
    ({ name, usual, max }): Row => [
      `more than a login for ${name}`,
      usual > 0 && max <= limitBytes,
      `${kB(usual)}, at most ${kB(max)} of ${kB(limitBytes)}`,
    ],
  ),
  [
    'all that an approval loads is weighed',
    uncounted.length === 0,
    uncounted.join(' ') || 'weighed',
  ],
]
