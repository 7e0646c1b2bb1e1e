import type { Plugin, Rolldown } from 'vite'
import { closure } from '../buildClient.ts'
import { kB, type Row } from './printRows.ts'

/**
 * Gzipped bytes that one kind of approval loads until the user can approve. `usual`: in a browser
 * that can guarantee visibility, for a request without rare parts. `max`: with all parts that it
 * may need.
 */
type KindWeight = { readonly name: string; readonly usual: number; readonly max: number }

export type ApprovalsWeight = {
  readonly kinds: readonly KindWeight[]
  /** Modules that requests and approvals load later and that are not counted for any kind. */
  readonly uncounted: readonly string[]
}

const limitBytes = 40_000
const always = ['requests/approveRequest.ts', 'picture/drawings.ts']
/**
 * Alternatives: the screen in the frame or, if the browser cannot guarantee visibility, in our
 * popup.
 */
const screens = ['approval/ApprovalScreen.tsx', 'approval/ApprovalWindowScreen.tsx']
/** Descriptions of data that the frame cannot decode itself. */
const unread = ['descriptions/describeUnread.ts', 'descriptions/askDescription.ts']

type Kind = {
  readonly name: string
  readonly parts: readonly string[]
  /** Modules that only some of these requests need. */
  readonly rare?: readonly string[]
}

const approvals: readonly Kind[] = [
  { name: 'a transaction', parts: ['evm/prepareTransaction.ts'], rare: unread },
  {
    name: 'a transaction that replaces another',
    parts: ['replacement/prepareReplacement.ts'],
    rare: ['operation/sentOperations.ts', ...unread],
  },
  {
    name: 'a user operation that replaces another',
    parts: ['operation/sentOperations.ts', 'operation/prepareOperationReplacement.ts'],
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
 * Not needed before the user can approve: editing the amount, everything after the press, and
 * requests without approval.
 */
const later = [
  'approval/AmountEditor.tsx',
  'flows/confirmUnlimited.ts',
  'rendezvous/sealedRendezvous.ts',
  'calls/answerCalls.ts',
  'replacement/sentTransactions.ts',
  'operation/pendingOperations.ts',
  'operation/sendOperation.ts',
  'operation/waitForOperation.ts',
  'assets/answerAssets.ts',
]

/** Collects the dynamic imports of modules of requests and approvals. */
export const collectLazy = (found: Set<string>): Plugin => ({
  name: 'collect-lazy',
  buildEnd() {
    for (const id of this.getModuleIds())
      if (/frame\/src\/(requests|approval)\//.test(id))
        for (const lazy of this.getModuleInfo(id)?.dynamicallyImportedIds ?? []) found.add(lazy)
  },
})

/**
 * Computes the size of each kind of approval beyond the `loaded` chunks. `weigh` returns the bytes
 * of chunks by name.
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

/** Throws if a module is in no chunk. */
function getChunk(chunks: readonly Rolldown.OutputChunk[], path: string): string {
  const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${path}`)))
  if (!found) throw new Error(`No chunk has ${path}`)
  return found.fileName
}

/** The size of each kind of approval, with its limit. */
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
