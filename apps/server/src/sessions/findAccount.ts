import type { ChainId } from '@latchkey/wire'
import type { Address } from 'viem'
import type { Config } from '../config.ts'
import { badRequest, type Failure } from '../http/failure.ts'
import type { Account } from './session.ts'

/** The account of a CAIP-10 text, on a network that has smart sessions; else the failure. */
export function findAccount(
  { chains }: Pick<Config, 'chains'>,
  text: string,
): Account | { readonly failure: Failure } {
  const [, chainId, address] = /^(eip155:[1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
  if (chainId === undefined || address === undefined)
    return { failure: badRequest('address', 'The address is no CAIP-10 id of an eip155 account') }
  if (chains[chainId as ChainId]?.smartAccounts?.permissions !== true)
    return { failure: badRequest('chainId', `There are no smart sessions on ${chainId}`) }
  return { chainId: chainId as ChainId, address: address.toLowerCase() as Address }
}
