import { permissionContracts } from '@latchkey/wire/permissions'
import { simple7702Account } from '../evm/smartAccount.ts'

const delegation = /^0xef0100[0-9a-f]{40}$/
/**
 * The contracts that the frame lets an account delegate to (EIP-7702), the contract that accounts
 * switch to later first.
 */
const known = [permissionContracts.account, simple7702Account].map(
  (address) => `0xef0100${address.slice(2).toLowerCase()}`,
)

/**
 * The riskier of two different results of `eth_getCode`, in lower case: the code that the frame
 * warns about or refuses. First a delegation to an unknown contract; then a delegation to a known
 * contract, which a lagging node may not have yet; otherwise no code, because neither result is
 * certain.
 */
export function findWorseCode(answers: readonly string[]): string {
  const delegations = answers.filter((one) => delegation.test(one))
  const unknown = delegations.find((one) => !known.includes(one))
  return unknown ?? known.find((one) => delegations.includes(one)) ?? '0x'
}
