import { hexQuantity } from '../../evm/schemas.ts'
import type { ChainBundler } from '../chainBundler.ts'
import type { StoredOperation } from '../mempool/operationStore.ts'
import { askCode, askValues, readDigest, readValues } from '../operations/seenCode.ts'
import { getDelegation } from '../operations/simulate.ts'
import type { UserOperation } from '../operations/userOperation.ts'

/** The reason why an operation can no longer be in a bundle. */
export type Dropped = { readonly operation: StoredOperation; readonly reason: string }

const otherCode =
  'The nonce of its authorization (EIP-7702) was used, and the account does not delegate to that address'
const changedCode = 'Code that its validation uses has changed since it was checked'

/**
 * The operations that would run exactly the code that was checked. An authorization whose nonce was
 * used in the meantime is left out if the account delegates to its address anyway. If not, the
 * owner signed for other code, and the operation is dropped. An operation whose validation uses
 * code that has changed is dropped too (COD-010). `changed`: operations whose validation read
 * storage that has changed, so that it may run other code. Throws RPC_UNAVAILABLE.
 */
export async function checkAgain(
  { ask }: ChainBundler,
  operations: readonly StoredOperation[],
): Promise<{ operations: StoredOperation[]; dropped: Dropped[]; changed: StoredOperation[] }> {
  const questions = operations.map(({ operation, code }) => [
    ...(operation.eip7702Auth ? askAccount(operation) : []),
    ...(code ? [askCode(operation, { addresses: code.addresses, block: 'latest' })] : []),
    ...askValues(code?.storage?.slots ?? {}, 'latest'),
  ])
  const replies = operations.length === 0 ? [] : await ask(questions.flat())
  const kept: StoredOperation[] = []
  const dropped: Dropped[] = []
  const changed: StoredOperation[] = []
  for (const one of operations) {
    const { operation, code } = one
    const signed = operation.eip7702Auth
    const [nonce, own] = signed ? replies.splice(0, 2) : []
    const isChanged = code !== undefined && readDigest(replies.shift()) !== code.digest
    const values = replies.splice(0, Object.keys(code?.storage?.slots ?? {}).length)
    const hasOtherStorage =
      code?.storage !== undefined && readValues(values) !== code.storage.digest
    const isUsed = signed !== undefined && hexQuantity.parse(nonce?.result) !== signed.nonce
    const isSame = signed !== undefined && own?.result === getDelegation(signed.address)
    if (isUsed && !isSame) dropped.push({ operation: one, reason: otherCode })
    else if (isChanged) dropped.push({ operation: one, reason: changedCode })
    else if (hasOtherStorage) changed.push(one)
    else kept.push(isUsed ? { ...one, operation: { ...operation, eip7702Auth: undefined } } : one)
  }
  return { operations: kept, dropped, changed }
}

const askAccount = ({ sender }: UserOperation) => [
  { method: 'eth_getTransactionCount', params: [sender, 'latest'] },
  { method: 'eth_getCode', params: [sender, 'latest'] },
]
