import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit'
import * as computeBudget from '@solana-program/compute-budget'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { expect, test } from 'vitest'
import {
  answerSolana,
  buildTransaction,
  createSolanaRequest,
  type Node,
  other,
  own,
} from '../../../../test/solanaRequest.ts'
import { prepareRequest } from '../../../../test/testRequest.ts'
import type { ApprovalView } from '../../../approval/approvalView.ts'
import { solanaTexts } from '../../../locales/solana.en.ts'
import { programs, sysvars } from '../programs.ts'

const me = createNoopSigner(own)
const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address
const bytesOf = (address: string) => [...(decodeBase58(address) ?? [])]

const viewOf = async (instructions: readonly Instruction[], node: Node = {}) => {
  const params = { transaction: buildTransaction(instructions), pubkey: own }
  const read = answerSolana(node)
  return (await prepareRequest(createSolanaRequest('solana_signTransaction', params, { read })))
    .view
}
const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : [])).join('\n')

const withMore = (instruction: Instruction, ...more: number[]): Instruction => ({
  ...instruction,
  data: Uint8Array.from([...(instruction.data ?? []), ...more]),
})

/** An instruction with these accounts, all writable. */
const call = (program: Address, accounts: readonly Address[], data: readonly number[]) => ({
  programAddress: program,
  accounts: accounts.map((address) => ({ address, role: AccountRole.WRITABLE })),
  data: Uint8Array.from(data),
})

test('changed email: trailing bytes do not unblock an instruction that gives the wallet away', async () => {
  const space = { newAccount: me, space: 80n }
  const made = { payer: createNoopSigner(other), newAccount: me, lamports: 1n, space: 0n }
  for (const instruction of [
    system.getAllocateInstruction(space),
    system.getAssignInstruction({ account: me, programAddress: key(52) }),
    system.getCreateAccountInstruction({ ...made, programAddress: key(52) }),
  ]) {
    const view = await viewOf([withMore(instruction, 0)])
    expect(view.blocked).toBe(solanaTexts.block.lost)
    expect(view.title).toContain('Give your whole account away')
  }
})

test('changed email: an unread call of an asset program is confirmed like an unlimited allowance', async () => {
  const account = key(70)
  const takeOver = token.getSetAuthorityInstruction({
    ...{ owned: account, owner: me, newAuthority: other },
    authorityType: token.AuthorityType.AccountOwner,
  })
  const approve = token.getApproveInstruction({
    ...{ source: account, delegate: other, owner: me, amount: 2n ** 64n - 1n },
  })
  for (const instruction of [takeOver, approve])
    for (const more of [[], [0]]) {
      const { warnings } = await viewOf([withMore(instruction, ...more)])
      expect(warnings[0]).toMatchObject({ level: 'danger', isUnlimited: true })
    }
})

test('changed email: a transfer that can pass the signature to the issuer’s program is a danger without limit', async () => {
  const [thief, mint, extra] = [createNoopSigner(other), key(71), key(72)]
  const u64 = [1, 0, 0, 0, 0, 0, 0, 0]
  const token2022 = programs.token2022 as Address
  const confidential = new Array<number>(36 + 128 + 3).fill(0)
  const hidden = [...confidential, 0, 0]
  for (const [accounts, data] of [
    [
      [key(73), mint, key(74), thief.address, extra, own],
      [12, ...u64, 0],
    ],
    [
      [key(73), key(74), thief.address, own],
      [3, ...u64],
    ],
    [
      [key(73), mint, key(74), thief.address, own],
      [26, 1, ...u64, 0, ...u64],
    ],
    [
      [key(73), mint, key(74), extra, thief.address, own],
      [27, 7, ...confidential],
    ],
    [
      [key(73), mint, key(74), extra, thief.address, own],
      [27, 13, ...hidden],
    ],
  ] as const) {
    const view = await viewOf([call(token2022, accounts, data)])
    expect(dangers(view)).toContain('can use your signature')
    expect(view.warnings.some((one) => 'isUnlimited' in one)).toBe(true)
  }
  // Its owner sends it: the authority is not passed on.
  const usual = [key(73), mint, key(74), own, extra]
  expect(dangers(await viewOf([call(token2022, usual, [12, ...u64, 0])]))).toBe('')
})

test('changed email: accounts with names like the network’s accounts are not read or hidden as these', async () => {
  expect(sysvars.every((one) => bytesOf(one).length === 32)).toBe(true)
  const fake = `Sysvar${'2'.repeat(37)}` as Address
  expect(bytesOf(fake)).toHaveLength(32)
  const view = await viewOf([
    system.getTransferSolInstruction({ source: me, destination: fake, amount: 1n }),
  ])
  expect(JSON.stringify(view.rows)).toContain(fake)
  // Without its network data, the program reads the accounts one place earlier: the third is the
  // new holder.
  const shifted = call(
    programs.stake as Address,
    [key(70), own, other, own],
    [10, 0, 0, 0, 1, 0, 0, 0],
  )
  expect(dangers(await viewOf([shifted]))).toContain('could not be read')
  // A token account of a program that is neither Token nor Token-2022.
  const open = [own, key(70), own, key(71), programs.system as Address, key(72)]
  const opened = await viewOf([call(programs.associatedToken as Address, open, [1])])
  expect(dangers(opened)).toContain('could not be read')
})

test('changed email: counts fee settings with trailing bytes, and the fees of all transactions together', async () => {
  const limit = computeBudget.getSetComputeUnitLimitInstruction({ units: 1_000_000 })
  const price = (sol: number) =>
    computeBudget.getSetComputeUnitPriceInstruction({ microLamports: BigInt(sol * 1e9) })
  for (const more of [[], [0]]) {
    const view = await viewOf([withMore(limit, ...more), withMore(price(2), ...more)])
    expect(dangers(view)).toContain('The fee can reach 2.000005 SOL')
    expect(JSON.stringify(view.place)).toContain('2.000005 SOL')
  }
  const one = buildTransaction([limit, price(0.009)])
  const request = (transactions: readonly string[]) =>
    createSolanaRequest('solana_signAllTransactions', { transactions, pubkey: own })
  const { view } = await prepareRequest(request(new Array<string>(50).fill(one)))
  expect(dangers(view)).toContain('The fee can reach 0.45025 SOL')
  const alone = await prepareRequest(request([one]))
  expect(dangers(alone.view)).toBe('')
})

test('changed email: paying for others’ token accounts is a danger if it costs as much as a high fee', async () => {
  const open = (count: number, owner: Address, from = 0) =>
    Array.from({ length: count }, (_, at) =>
      call(
        programs.associatedToken as Address,
        [
          ...[own, key(100 + from + at), owner, key(90), programs.system as Address],
          programs.token as Address,
        ],
        [],
      ),
    )
  expect(dangers(await viewOf(open(4, other)))).toBe('')
  expect(dangers(await viewOf(open(10, own)))).toBe('')
  expect(dangers(await viewOf(open(5, other)))).toContain('0.0115 SOL for 5 token accounts')
  // Also if each transaction alone opens few.
  const transactions = [open(4, other), open(4, other, 4)].map((some) => buildTransaction(some))
  const { view } = await prepareRequest(
    createSolanaRequest('solana_signAllTransactions', { transactions, pubkey: own }),
  )
  expect(dangers(view)).toContain('0.0184 SOL for 8 token accounts')
})

test('undo: a memo that signs in to another site is refused as a message would be', async () => {
  const signIn = (domain: string) =>
    `${domain} wants you to sign in with your Solana account:\n${own}\n\nURI: https://${domain}\nNonce: 12345678`
  const { origin } = createSolanaRequest('solana_signTransaction', {})
  const ask = async (text: string) =>
    (await viewOf([call(programs.memo as Address, [], [...new TextEncoder().encode(text)])]))
      .blocked
  expect(await ask(signIn('bank.example'))).toContain('bank.example')
  expect(await ask(signIn(new URL(origin).host))).toBeUndefined()
  expect(await ask('Thanks for the coffee')).toBeUndefined()
})
