import { startSolana } from '@latchkey/dev'
import { decodeBase64 } from '@latchkey/wire'
import { isWritable, parseSolanaTransaction } from '@latchkey/wire/solana'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  type Instruction,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit'
import * as system from '@solana-program/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTransaction, createSolanaRequest } from '../../../test/solanaRequest.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { readAccountStates } from './readAccounts.ts'
import { simulateSolana } from './simulate.ts'

let solana: Awaited<ReturnType<typeof startSolana>>
beforeAll(async () => {
  solana = await startSolana()
})
afterAll(() => solana?.stop())

const sol = 1_000_000_000n

async function ask(method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const { result, error } = await (
    await fetch(solana.url, { method: 'POST', headers, body })
  ).json()
  if (error) throw new Error(error.message)
  return result
}
const read: ApprovalRequest['read'] = (_, method, params) => ask(method, params)

const openAccount = (byte: number) =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte))

const balanceOf = async ({ address }: KeyPairSigner) =>
  BigInt(((await ask('getBalance', [address])) as { value: number }).value)

async function build(payer: KeyPairSigner, instructions: readonly Instruction[]) {
  const latest = await ask('getLatestBlockhash', [{ commitment: 'confirmed' }])
  const { blockhash } = (latest as { value: { blockhash: string } }).value
  return buildTransaction(instructions, { feePayer: payer.address, blockhash })
}

async function send(payer: KeyPairSigner, instructions: readonly Instruction[]) {
  const bytes = decodeBase64(await build(payer, instructions)) ?? new Uint8Array()
  const { message } = parseSolanaTransaction(bytes)
  bytes.set(await signBytes(payer.keyPair.privateKey, message), 1)
  await ask('sendTransaction', [Buffer.from(bytes).toString('base64'), { encoding: 'base64' }])
}

test('changed email: Allocate would give everything away on a real chain; its card cannot be approved', async () => {
  const [victim, thief] = await Promise.all([openAccount(41), openAccount(42)])
  for (const { address } of [victim, thief])
    await ask('requestAirdrop', [address, Number(5n * sol)])
  const me = createNoopSigner(victim.address)
  const allocate = system.getAllocateInstruction({ newAccount: me, space: 80n })
  const transaction = await build(victim, [allocate])
  const request = createSolanaRequest(
    'solana_signTransaction',
    { transaction, pubkey: victim.address },
    { read, accounts: { eip155: '0x', solana: victim.address } },
  )
  const { view } = await prepareRequest(request)
  expect(view.title).toBe('Give your whole account away by signature?')
  expect(view.warnings[0]).toMatchObject({ level: 'danger', isUnlimited: true })
  expect(view.blocked).toContain('for good')

  // The simulation reports the same for any bytes.
  const bytes = decodeBase64(transaction) ?? new Uint8Array()
  const parsed = parseSolanaTransaction(bytes)
  const expected = await simulateSolana(request, {
    ...{ transaction: bytes, own: victim.address, isDurable: false },
    writable: parsed.keys.filter((_, index) => isWritable(parsed, index)),
    before: await readAccountStates(request, parsed.keys),
  })
  expect(expected).toMatchObject({ status: 'done', losesWallet: true })

  // What would follow, without another signature of the victim.
  await send(victim, [allocate])
  const nonceAccount = victim.address
  const before = await balanceOf(thief)
  await send(thief, [
    system.getInitializeNonceAccountInstruction({ nonceAccount, nonceAuthority: thief.address }),
  ])
  // A nonce account cannot be emptied in the block that set its nonce.
  solana.skipSlots(2)
  await send(thief, [
    system.getWithdrawNonceAccountInstruction({
      ...{ nonceAccount, recipientAccount: thief.address, nonceAuthority: thief },
      withdrawAmount: await balanceOf(victim),
    }),
  ])
  expect(await balanceOf(victim)).toBe(0n)
  expect((await balanceOf(thief)) - before).toBeGreaterThan((49n * sol) / 10n)
})
