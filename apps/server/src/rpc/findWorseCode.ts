import { permissionContracts } from '@latchkey/wire/permissions'
import { simple7702Account } from '../evm/smartAccount.ts'

const delegation = /^0xef0100[0-9a-f]{40}$/
/**
 * To what the frame lets an account delegate (EIP-7702), the one that an account turns to later
 * first.
 */
const known = [permissionContracts.account, simple7702Account].map(
  (address) => `0xef0100${address.slice(2).toLowerCase()}`,
)

/**
 * Of two different answers to `eth_getCode`, as text in lower case, the one that the frame warns of
 * or refuses. That is a delegation to a contract that it does not know; then to one that it knows,
 * of which a node that lags knows nothing; else no code, since none is certain.
 */
export function findWorseCode(answers: readonly string[]): string {
  const delegations = answers.filter((one) => delegation.test(one))
  const unknown = delegations.find((one) => !known.includes(one))
  return unknown ?? known.find((one) => delegations.includes(one)) ?? '0x'
}
