import type { ChainId } from '@latchkey/wire'
import type { Address } from 'viem'
import type { Config } from '../config.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import type { Account } from './session.ts'

type Chains = Pick<Config, 'chains'>

/**
 * Finds the account of a CAIP-10 id; undefined for any other text, or if its network has no smart
 * sessions.
 */
export function findAccount(config: Chains, text: string): Account | undefined {
  const account = parseAccount(text)
  return account && hasSessions(config, account) ? account : undefined
}

function parseAccount(text: string): Account | undefined {
  const [, chainId, address] = /^(eip155:[1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  if (chainId === undefined || address === undefined) return undefined
  return { chainId: chainId as ChainId, address: address.toLowerCase() as Address }
}

const hasSessions = ({ chains }: Chains, { chainId }: Account): boolean =>
  chains[chainId]?.smartAccounts?.permissions === true

/**
 * Finds the accounts of an id: one for a CAIP-10 id, or for a plain address one on each network
 * with smart sessions. Throws {@link HttpFailure}.
 */
export function findAccounts(config: Chains, text: string): readonly Account[] {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const account = parseAccount(text)
    if (account === undefined) throw new HttpFailure(badAddress)
    if (!hasSessions(config, account)) throw new HttpFailure(noSessions(account.chainId))
    return [account]
  }
  return Object.entries(config.chains)
    .filter(([, chain]) => chain.smartAccounts?.permissions)
    .map(([chainId]) => ({ chainId: chainId as ChainId, address: text.toLowerCase() as Address }))
}

const noSessions = (chainId: ChainId) =>
  badRequest('chainId', `There are no smart sessions on ${chainId}`)
const badAddress = badRequest(
  'address',
  'The address must be an EVM account, such as "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", or its CAIP-10 id, such as "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"',
)
