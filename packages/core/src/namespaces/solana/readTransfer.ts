import { LatchkeyError } from '@latchkey/wire'
import type { Address } from '@solana/kit'
import type { PlanTransferParameters } from '../transferPlan.ts'
import { readPriorityPrice } from './fees.ts'
import { type Lifetime, readLifetime } from './message.ts'
import {
  type AccountData,
  commitment,
  invalidResponse,
  isNodeOf,
  readAccountData,
  readTokenAccounts,
  toCount,
} from './nodeResponses.ts'
import {
  type Mint,
  type ParsedTokenAccount,
  tokenPrograms,
  toMint,
  toTokenAccount,
} from './token.ts'
import { getAssociatedAddress } from './transferTokens.ts'

/** The accounts of a transfer, all read at once. */
export type TransferFacts = {
  lamports: bigint
  receiver: AccountData | undefined
  /** The minimum balance of an account without data, in lamports. */
  minimumLamports: bigint
  microLamports: bigint
  lifetime: Lifetime
  token: TokenFacts | undefined
}

type TokenFacts = {
  mint: Mint
  /** The sender's accounts for the token. */
  accounts: readonly ParsedTokenAccount[]
  destination: { address: Address; account: AccountData | undefined }
  epoch: bigint
}

type Parties = { from: Address; to: Address; mint: Address | undefined }

/**
 * Reads the accounts that a transfer depends on. Throws TRANSFER_REFUSED, RPC_CHAIN_WRONG and the
 * node's errors.
 */
export async function readTransfer(
  { node, network }: Pick<PlanTransferParameters, 'node' | 'network'>,
  { from, to, mint }: Parties,
): Promise<TransferFacts> {
  // Only the mint reveals its program, so both candidates are read together with it.
  const candidates = mint ? await getCandidates(to, mint) : []
  const writable = [from, ...(mint ? candidates : [to])]
  const [isNode, lifetime, minimum, microLamports, epoch, accounts, held] = await Promise.all([
    isNodeOf({ node, network }),
    readLifetime(node),
    readMinimum(node, 0n),
    readPriorityPrice(node, writable),
    mint && node('getEpochInfo', [{ commitment }]),
    readAccountData(node, [from, to, ...(mint ? [mint, ...candidates] : [])]),
    mint && readTokenAccounts(node, { owner: from, mint }),
  ])
  if (!isNode) throw new LatchkeyError('RPC_CHAIN_WRONG', { data: { chain: network.name } })
  const [sender, receiver, mintAccount, ...destinations] = accounts
  return {
    lamports: sender?.lamports ?? 0n,
    receiver,
    minimumLamports: minimum,
    microLamports,
    lifetime,
    token: mint && {
      ...getDestination({ mint: toMint(mint, mintAccount), candidates, destinations }),
      epoch: toCount((epoch as { epoch?: unknown } | null | undefined)?.epoch),
      accounts: (held ?? []).map(({ address, account }) => {
        const parsed = toTokenAccount(address, account)
        if (parsed.owner !== from || parsed.mint !== mint || account.owner !== mintAccount?.owner)
          throw invalidResponse()
        return parsed
      }),
    },
  }
}

/** The permanent minimum balance of an account with `bytes` of data, in lamports. */
export const readMinimum = async (
  node: PlanTransferParameters['node'],
  bytes: bigint,
): Promise<bigint> =>
  toCount(await node('getMinimumBalanceForRentExemption', [Number(bytes), { commitment }]))

const getCandidates = (owner: Address, mint: Address) =>
  Promise.all(
    tokenPrograms.map((tokenProgram) => getAssociatedAddress({ owner, mint, tokenProgram })),
  )

function getDestination({
  mint,
  candidates,
  destinations,
}: {
  mint: Mint
  candidates: readonly Address[]
  destinations: readonly (AccountData | undefined)[]
}): Pick<TokenFacts, 'mint' | 'destination'> {
  const index = tokenPrograms.indexOf(mint.program)
  const address = candidates[index]
  if (!address) throw invalidResponse()
  // Anyone can send lamports there before the account is created.
  const account = destinations[index]?.data.length ? destinations[index] : undefined
  return { mint, destination: { address, account } }
}
