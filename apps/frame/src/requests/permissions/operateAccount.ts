import { LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { decodeCalls } from '../calls/operation/accountCalls.ts'
import { buildOperation, type UnsignedOperation } from '../calls/operation/buildOperation.ts'
import { getNewDelegation, withDelegation } from '../calls/operation/newDelegation.ts'
import { getMaxFee } from '../calls/operation/operationFee.ts'
import { readDelegation } from '../calls/readDelegation.ts'
import { type AbiType, encodeAbi } from '../evm/codec/encodeAbi.ts'
import { toBig } from '../params.ts'
import { type DescribedSimulation, describeSimulation } from '../simulation/describeSimulation.ts'
import { simulateEvm } from '../simulation/simulate.ts'

/**
 * Selectors of `PermissionAccount`: two functions that take a list of hashes, and
 * `isGranted(bytes32)`.
 */
const selectors = {
  grantPermissions: '0x055f156d',
  revokePermissions: '0x896fb436',
  isGranted: '0x8fdea8bd',
} as const

type Name = 'grantPermissions' | 'revokePermissions'

type Change = UnsignedOperation & { readonly isUpgrade: boolean }

/**
 * Builds an operation by which the account grants or revokes delegations, and nothing else.
 * `isUpgrade`: it also delegates to the contract that executes for permissions. Throws
 * INSUFFICIENT_GAS and the errors of {@link buildOperation}.
 */
export async function buildChange(
  request: ApprovalRequest,
  functionName: Name,
  hashes: readonly string[],
): Promise<Change> {
  const { accounts, read, chain, signal } = request
  const account = accounts.eip155
  const delegation = await readDelegation(request, account)
  const call = {
    to: account.toLowerCase() as Hex,
    value: 0n,
    data: encode(functionName, { type: 'bytes32[]' }, hashes),
  }
  const unsigned = await buildOperation(request, { calls: [call], delegation, mayPermit: true })
  const [built, ...more] = decodeCalls(unsigned.operation.callData as Hex)
  if (built?.to !== call.to || built.data !== call.data || built.value !== 0n || more.length > 0)
    throw new LatchkeyError('INTERNAL')
  if (!unsigned.operation.paymaster) {
    const balance = toBig(await read(chain, 'eth_getBalance', [account, 'latest'], signal))
    if (getMaxFee(unsigned.operation) > balance)
      throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: chain.symbol } })
  }
  return { ...unsigned, isUpgrade: delegation !== 'permissions' }
}

/** Simulates and describes such an operation. */
export async function simulateChange(
  request: ApprovalRequest,
  unsigned: UnsignedOperation,
): Promise<DescribedSimulation> {
  const calls = decodeCalls(unsigned.operation.callData as Hex)
  const context = { ...request, account: request.accounts.eip155 }
  return describeSimulation(
    context,
    { effects: [], groups: [] },
    await simulateEvm(withDelegation(request, getNewDelegation(unsigned)), { calls }),
  )
}

/**
 * Signs and sends such an operation, and waits until a block includes it. Throws the errors of
 * `waitForOperation`.
 */
export async function sendChange(
  request: ApprovalRequest,
  unsigned: UnsignedOperation,
): Promise<string> {
  const [{ sendOperation, signOperation }, { waitForOperation }] = await Promise.all([
    import('../calls/operation/sendOperation.ts'),
    import('../calls/operation/waitForOperation.ts'),
  ])
  const signed = await signOperation(request, unsigned)
  await sendOperation(request, signed)
  await request.calls.writeType('smartAccount')
  return waitForOperation(request, signed.hash)
}

/** Reads from the chain which of the delegations the account has granted. */
export async function readGrantedPermissions(
  { read, chain, signal, accounts }: ApprovalRequest,
  hashes: readonly string[],
): Promise<boolean[]> {
  return Promise.all(
    hashes.map(async (hash) => {
      const data = encode('isGranted', { type: 'bytes32' }, hash)
      const answer = await read(
        chain,
        'eth_call',
        [{ to: accounts.eip155, data }, 'latest'],
        signal,
      )
      return answer !== '0x' && toBig(answer) === 1n
    }),
  )
}

const encode = (name: keyof typeof selectors, type: AbiType, value: unknown): Hex =>
  `${selectors[name]}${encodeAbi([type], [value]).slice(2)}`
