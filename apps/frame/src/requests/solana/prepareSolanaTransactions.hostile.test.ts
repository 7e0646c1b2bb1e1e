import { decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit'
import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getApproveInstruction,
  getBatchInstruction,
  getCloseAccountInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answerSolana,
  buildTransaction,
  claiming,
  createSolanaRequest,
  mintData,
  type Node,
  other,
  own,
  tokenAccountData,
} from '../../../test/solanaRequest.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import type { ApprovalView } from '../../approval/approvalView.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { programs } from './programs.ts'

const me = createNoopSigner(own)
const them = createNoopSigner(other)
const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address
const [mint, source, program, table, nonce] = [key(50), key(51), key(52), key(53), key(54)]
const lamports = (amount: bigint, destination = other) =>
  getTransferSolInstruction({ source: me, destination, amount })
const sol = 1_000_000_000n
const unknownCall = (signs: boolean): Instruction => ({
  programAddress: program,
  accounts: [
    signs
      ? { address: own, role: AccountRole.WRITABLE_SIGNER }
      : { address: key(62), role: AccountRole.WRITABLE },
  ],
  data: Uint8Array.of(1, 2, 3),
})

const prepare = (
  instructions: readonly Instruction[],
  more: Partial<ApprovalRequest> & { node?: Node; feePayer?: Address } = {},
) => {
  const { node = {}, feePayer, ...rest } = more
  const transaction = buildTransaction(instructions, feePayer ? { feePayer } : {})
  const params = { transaction, pubkey: own }
  return prepareRequest(
    createSolanaRequest('solana_signTransaction', params, { read: answerSolana(node), ...rest }),
  )
}
const viewOf = async (...given: Parameters<typeof prepare>) => (await prepare(...given)).view
const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : [])).join('\n')
const cautions = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'caution' ? text : [])).join('\n')
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'shown',
    (error: { code?: string }) => error.code,
  )

test('Solana: a transfer says amount and receiver from the bytes, and each instruction in full', async () => {
  const view = await viewOf([lamports(sol), lamports(sol / 2n)])
  expect(view.title).toBe('Send 1.5 SOL by signature?')
  expect(view.groups[0]).toEqual({
    label: 'Leaves your wallet',
    rows: [
      { label: 'Amount', value: '1 SOL' },
      { label: 'To', address: other, isNew: true },
    ],
  })
  expect(view.rows[1]).toEqual({
    label: '2. Send SOL',
    tree: [
      { depth: 0, label: 'Program', value: `System program (${programs.system})` },
      { depth: 0, label: 'Amount', value: '0.5 SOL' },
      { depth: 0, label: 'From', value: own },
      { depth: 0, label: 'To', value: other },
    ],
  })
  expect(view.place[0]).toEqual({ label: 'Network fee, up to', value: '0.000005 SOL' })
  expect(view.warnings).toEqual([
    { level: 'caution', text: 'You have never sent to this address.' },
  ])
  expect((await viewOf([lamports(sol)], { known: [other] })).warnings).toEqual([])
})

test('Solana: a token transfer names the owner only if the account is derived from it', async () => {
  const [destination] = await findAssociatedTokenPda({
    mint,
    owner: other,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const send = (to: Address) =>
    getTransferCheckedInstruction({
      source,
      mint,
      destination: to,
      authority: me,
      amount: 1_500_000n,
      decimals: 6,
    })
  const lie = (to: Address, owner: string): Node => ({
    accounts: {
      [to]: { owner: programs.token, data: tokenAccountData({ mint, owner, amount: 0n }) },
      // The decimals of the bytes count: the network refuses others.
      [mint]: { owner: programs.token, data: mintData(2) },
    },
  })
  const proven = await viewOf([send(destination)], { node: lie(destination, other) })
  expect(proven.title).toContain('Send 1.5 of token')
  expect(proven.groups[0]?.rows).toEqual([
    { label: 'Amount', value: expect.stringContaining('1.5 of token') },
    { label: 'To', address: other, isNew: true },
    { label: 'Token account', address: destination },
    { label: 'From', address: source },
    { label: 'Token', address: mint },
  ])
  const claimed = await viewOf([send(key(60))], { node: lie(key(60), own) })
  expect(claimed.groups[0]?.rows[1]).toEqual({ label: 'To', address: key(60), isNew: true })
  expect(cautions(claimed)).toContain('Only our server reports')
  expect(cautions(await viewOf([send(key(60))]))).toContain('could not be read')
})

test('Solana: a plain token transfer says that only our server names the token', async () => {
  const call = getTransferInstruction({ source, destination: key(60), authority: me, amount: 5n })
  expect((await viewOf([call])).title).toBe(
    'Send 5 smallest units of an unknown token by signature?',
  )
  const accounts = {
    [source]: { owner: programs.token, data: tokenAccountData({ mint, owner: own, amount: 9n }) },
    [mint]: { owner: programs.token, data: mintData(1) },
  }
  const view = await viewOf([call], { node: { accounts } })
  expect(view.title).toContain('Send 0.5 of token')
  expect(cautions(view)).toContain('does not name the token')
})

test('Solana: an instruction that gives a right away is a danger and comes first', async () => {
  const cases: [Instruction, string, string][] = [
    [
      getSetAuthorityInstruction({
        owned: source,
        owner: me,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: other,
      }),
      'Give control away by signature?',
      'own the token account',
    ],
    [
      getApproveInstruction({ source, delegate: other, owner: me, amount: 7n }),
      'Let someone else take 7 smallest units of an unknown token by signature?',
      'at any time, without asking you again',
    ],
    [
      getApproveInstruction({ source, delegate: other, owner: me, amount: 2n ** 64n - 1n }),
      'Let someone else take any amount of an unknown token by signature?',
      'any amount',
    ],
    [
      getAssignInstruction({ account: me, programAddress: program }),
      'Give your whole account away by signature?',
      'nothing can undo',
    ],
    [
      getCloseAccountInstruction({ account: source, destination: other, owner: me }),
      'Close an account by signature?',
      `goes to ${other}`,
    ],
    [unknownCall(true), 'Run a program by signature?', 'It can take all your SOL'],
    [unknownCall(false), 'Run a program by signature?', 'It does not get your signature'],
    [
      {
        programAddress: programs.upgradeableLoader as Address,
        accounts: [{ address: own, role: AccountRole.WRITABLE_SIGNER }],
        data: Uint8Array.of(3, 0, 0, 0),
      },
      'Run a program by signature?',
      'changes or closes a program',
    ],
  ]
  for (const [instruction, title, text] of cases) {
    const view = await viewOf([instruction])
    expect(view.title).toBe(title)
    expect(dangers(view)).toContain(text)
    expect(view.groups).not.toEqual([])
  }
})

test('Solana: a durable nonce is a danger, even if its instruction has trailing bytes', async () => {
  const advance = getAdvanceNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: me })
  expect(dangers(await viewOf([advance, lamports(1n)]))).toContain('does not expire')
  const longer = { ...advance, data: Uint8Array.of(4, 0, 0, 0, 9) }
  expect(dangers(await viewOf([longer, lamports(1n)]))).toContain('does not expire')
  expect(dangers(await viewOf([lamports(1n), advance]))).not.toContain('does not expire')
})

test('error: an instruction of a known program that is not exactly right could do anything', async () => {
  const good = lamports(sol)
  const bad: Instruction[] = [
    { ...good, data: Uint8Array.of(...good.data, 0) },
    { ...good, data: good.data.subarray(0, 11) },
    { ...good, accounts: good.accounts.slice(0, 1) as never },
    { ...good, data: Uint8Array.of(99, 0, 0, 0) },
  ]
  for (const one of bad) {
    const view = await viewOf([one])
    expect(view.title).toBe('Run a program by signature?')
    expect(dangers(view)).toContain('could not be read')
  }
})

test('error: any data of a known program is read to the last byte or is a danger', async () => {
  const accounts = [own, key(63), other, own].map((address) => ({
    address,
    role: address === own ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE,
  }))
  const names = ['system', 'token', 'token2022', 'stake', 'associatedToken'] as const
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(fc.nat(50), fc.uint8Array({ maxLength: 40 }))
      .map(([tag, rest]) => Uint8Array.of(tag, 0, 0, 0, ...rest)),
    fc
      .tuple(fc.nat(50), fc.nat(3), fc.uint8Array({ maxLength: 40 }))
      .map(([tag, more, rest]) => Uint8Array.of(tag, more, ...rest)),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), data, async (name, bytes) => {
      const programAddress = programs[name] as Address
      const view = await viewOf([{ programAddress, accounts, data: bytes }])
      const isRead = view.rows[0]?.label !== '1. Unreadable'
      const longer = await viewOf([
        { programAddress, accounts, data: Uint8Array.of(...bytes, 0xff) },
      ])
      // What was read says something else, or nothing, as soon as a byte is added.
      if (isRead) expect(longer.rows).not.toEqual(view.rows)
      else expect(dangers(view)).toMatch(/could not be read|gives your whole account away/)
    }),
    { numRuns: 80 },
  )
})

test('error: reads a batch of the token program call by call, but not an inconsistent batch', async () => {
  const approve = getApproveInstruction({ source, delegate: other, owner: me, amount: 7n })
  const whole = getBatchInstruction([approve, approve])
  const batch = (accounts: Instruction['accounts']): Instruction => ({
    ...whole,
    accounts: accounts ?? [],
  })
  const both = await viewOf([batch([...approve.accounts, ...approve.accounts])])
  expect(both.groups.map(({ label }) => label).slice(0, 2)).toEqual([
    'Others may take',
    'Others may take',
  ])
  const short = await viewOf([batch(approve.accounts)])
  expect(dangers(short)).toContain('could not be read')
})

test('Solana: another account as fee payer is shown, and a high fee is a danger', async () => {
  const sponsored = await viewOf([lamports(1n)], { feePayer: other })
  expect(sponsored.place[0]).toEqual({ label: 'Fee paid by someone else', address: other })
  expect(cautions(sponsored)).toContain('Someone else pays the fee')
  const dear = getSetComputeUnitPriceInstruction({ microLamports: 1_000_000_000n })
  const view = await viewOf([dear, lamports(1n)])
  expect(view.place[0]?.value).toBe('0.200005 SOL')
  expect(dangers(view)).toContain('The fee can reach 0.200005 SOL')
})

test('Solana: our server reads lookup tables; refuses a missing, false, deactivated or short table', async () => {
  const tables = { [table]: [key(70), other] }
  const transaction = buildTransaction([lamports(sol)], { tables })
  const params = { transaction, pubkey: own }
  const data = (list: readonly Address[], deactivated = 2n ** 64n - 1n) => {
    const bytes = new Uint8Array(56 + list.length * 32)
    bytes[0] = 1
    new DataView(bytes.buffer).setBigUint64(4, deactivated, true)
    for (const [at, one] of list.entries()) bytes.set(decodeBase58(one) ?? [], 56 + at * 32)
    return bytes
  }
  const view = async (state?: { owner: string; data: Uint8Array }) =>
    (
      await prepareRequest(
        createSolanaRequest('solana_signTransaction', params, {
          read: answerSolana({ accounts: { [table]: state } }),
        }),
      )
    ).view
  const owner = programs.lookupTable
  const good = await view({ owner, data: data([key(70), other]) })
  expect(good.blocked).toBeUndefined()
  expect(good.groups[0]?.rows[1]).toEqual({ label: 'To', address: other, isNew: true })
  expect(cautions(good)).toContain('lookup tables')
  const bad = [
    undefined,
    { owner: program, data: data([key(70), other]) },
    { owner, data: data([key(70)]) },
    { owner, data: data([key(70), other], 5n) },
    { owner, data: data([key(70), own]) },
    { owner, data: data([key(70), other]).subarray(0, 100) },
  ]
  for (const state of bad) expect((await view(state)).blocked).toContain(table)
})

test('simulation: denied effects stay shown, and effects that only the simulation reveals are dangers', async () => {
  const wallet = { owner: programs.system, lamports: 5_000_000_000 }
  const before = { [own]: wallet }
  const denied = await viewOf([lamports(sol)], { node: { accounts: before, after: before } })
  expect(denied.title).toContain('Send 1 SOL')
  expect(denied.groups[1]).toEqual({
    label: 'What our server expects to happen',
    rows: [{ label: 'No balances change' }],
  })
  const taken = { ...wallet, owner: program, lamports: 1 }
  const robbed = await viewOf([unknownCall(true)], {
    node: { accounts: before, after: { [own]: taken } },
  })
  expect(robbed.groups[1]?.rows).toEqual([{ label: 'Leaves', value: '4.999999999 SOL' }])
  expect(dangers(robbed)).toContain('your address would get another owner or data')
  const held = { mint, owner: own, amount: 9n }
  const mine = { owner: programs.token, data: tokenAccountData(held) }
  const delegated = await viewOf(
    [{ ...unknownCall(true), accounts: [{ address: source, role: AccountRole.WRITABLE }] }],
    {
      node: {
        accounts: { [source]: mine, [mint]: { owner: programs.token, data: mintData(0) } },
        after: {
          [source]: {
            ...mine,
            data: tokenAccountData({ ...held, amount: 4n, delegate: other }),
          },
        },
      },
    },
  )
  expect(dangers(delegated)).toContain('someone else could take tokens')
  expect(JSON.stringify(delegated.groups[1])).toContain('Leaves')
  const failing = await viewOf([lamports(sol)], {
    node: { simulationError: { InstructionError: [0, 'x'] } },
  })
  expect(dangers(failing)).toContain('likely to fail: {"InstructionError":[0,"x"]}')
})

test('error: a node of another network, and answers of the wrong shape, are refused', async () => {
  expect(await codeOf(prepare([lamports(1n)], { node: { genesisHash: key(1) } }))).toBe(
    'CHAIN_DISCONNECTED',
  )
  expect(await codeOf(prepare([lamports(1n)], { node: { genesisHash: 7 } }))).toBe(
    'CHAIN_DISCONNECTED',
  )
  const read: ApprovalRequest['read'] = async (chain, method, params) =>
    method === 'getMultipleAccounts' ? { value: [] } : answerSolana()(chain, method, params)
  expect(await codeOf(prepare([lamports(1n)], { read }))).toBe('ANSWER_INVALID')
})

test('error: params that are no transaction of the account are refused', async () => {
  const good = buildTransaction([lamports(1n)])
  const ask = (method: string, params: unknown) =>
    codeOf(prepareRequest(createSolanaRequest(method, params)))
  for (const params of [
    undefined,
    {},
    { transaction: 7 },
    { transaction: '', pubkey: own },
    { transaction: `${good}=`, pubkey: own },
    { transaction: Buffer.from('hello').toString('base64') },
    { transaction: 'A'.repeat(2_000) },
  ])
    expect(await ask('solana_signTransaction', params)).toBe('INVALID_PARAMS')
  expect(await ask('solana_signTransaction', { transaction: good, pubkey: other })).toBe(
    'UNAUTHORIZED',
  )
  const foreign = buildTransaction(
    [getTransferSolInstruction({ source: them, destination: own, amount: 1n })],
    { feePayer: other },
  )
  expect(await ask('solana_signTransaction', { transaction: foreign })).toBe('UNAUTHORIZED')
  const many = { transactions: new Array<string>(51).fill(good) }
  expect(await ask('solana_signAllTransactions', many)).toBe('INVALID_PARAMS')
  expect(await ask('solana_signAllTransactions', { transactions: [] })).toBe('INVALID_PARAMS')
})

test('Solana: all of several transactions are shown, with the dangers of each', async () => {
  const transactions = [
    [lamports(sol)],
    [unknownCall(true)],
    [
      getCreateAccountInstruction({
        payer: me,
        newAccount: createNoopSigner(key(61)),
        lamports: sol,
        space: 0n,
        programAddress: program,
      }),
    ],
  ].map((one) => buildTransaction(one))
  const { view } = await prepareRequest(
    createSolanaRequest('solana_signAllTransactions', { transactions }),
  )
  expect(view.title).toBe('Sign 3 transactions: send 2 SOL and run a program?')
  expect(view.groups.map(({ label }) => label)).toEqual(['All 3 transactions together'])
  const expected = 'What our server expects to happen'
  expect(view.transactions?.map(({ groups }) => groups.map(({ label }) => label))).toEqual([
    ['Leaves your wallet', expected],
    ['Runs a program', expected],
    ['Leaves your wallet', expected],
  ])
  expect(dangers(view)).toContain('It can take all your SOL')
  expect(view.rows).toEqual([])
  expect(view.transactions?.map(({ rows }) => rows.length)).toEqual([1, 1, 1])
  // Each is simulated on the state of now, not on what the ones before it leave.
  expect(cautions(view)).toContain('simulated each transaction on its own')
})

test('default: exactly the bytes that were shown are signed, and signatures of others stay', async () => {
  const signed: string[] = []
  const keys = {
    do: async (_: string, { transactions }: { transactions: { message: string }[] }) => {
      signed.push(...transactions.map(({ message }) => message))
      return { signatures: [Buffer.alloc(64, 7).toString('base64url')] }
    },
  } as unknown as ApprovalRequest['keys']
  const { approve } = await prepare([lamports(1n)], { feePayer: other, keys })
  const answer = (await approve()) as { transaction: string; signature: string }
  const { messageBytes, signatures } = getTransactionDecoder().decode(
    Buffer.from(answer.transaction, 'base64'),
  )
  expect(signed).toEqual([Buffer.from(Uint8Array.from(messageBytes)).toString('base64url')])
  expect(Uint8Array.from(signatures[own] ?? [])).toEqual(new Uint8Array(64).fill(7))
  expect(signatures[other]).toBeNull()
  expect(decodeBase58(answer.signature)).toEqual(new Uint8Array(64).fill(7))
})

test('default: our server sends the transaction, again after a lost response, and reports a refusal', async () => {
  const signature = encodeBase58(new Uint8Array(64).fill(7))
  const keys = {
    do: async () => ({ signatures: [Buffer.alloc(64, 7).toString('base64url')] }),
  } as unknown as ApprovalRequest['keys']
  const sent: string[] = []
  const run = async (send: NonNullable<Node['send']>, feePayer = own) => {
    const transaction = buildTransaction([lamports(1n)], { feePayer })
    const prepared = await prepareRequest(
      createSolanaRequest(
        'solana_signAndSendTransaction',
        { transaction, pubkey: own, sendOptions: { skipPreflight: true } },
        { keys, read: answerSolana({ send }) },
      ),
    )
    return prepared
  }
  const good = await run((transaction) => sent.push(transaction))
  expect(good.view).toMatchObject({ title: 'Send 0.000000001 SOL?', action: 'send' })
  expect(await good.approve()).toEqual({ signature })
  expect(sent).toHaveLength(1)
  const known = await run(() => {
    throw new LatchkeyError('RPC_FAILED', { data: { reason: 'already been processed' } })
  })
  expect(await known.approve()).toEqual({ signature })
  const refused = await run(() => {
    throw new LatchkeyError('RPC_FAILED', { data: { reason: 'Blockhash not found' } })
  })
  await expect(refused.approve()).rejects.toThrow('Blockhash not found')
  expect((await run(() => 0, other)).view.blocked).toContain('Signatures of others are missing')
})

test('Solana: fifty transactions are itemised below their sums, and signed at once by one opening', async () => {
  const transfers = Array.from({ length: 50 }, (_, index) => lamports(sol + BigInt(index)))
  const token = (decimals: number) =>
    getTransferCheckedInstruction({
      ...{ source, mint, destination: key(63), authority: me },
      ...{ amount: 1_500_000n, decimals },
    })
  // A transaction that claims other decimals fails; it must not make the sum of the others look
  // smaller.
  const all = transfers.map((one, index) => [one, ...(index < 3 ? [token(index < 2 ? 6 : 9)] : [])])
  const works: [string, { transactions: object[] }][] = []
  const keys = {
    do: async (work: string, params: { transactions: object[] }) => {
      works.push([work, params])
      const signature = Buffer.alloc(64, 7).toString('base64url')
      return { signatures: params.transactions.map(() => signature) }
    },
  } as unknown as ApprovalRequest['keys']
  let running = 0
  let most = 0
  const answer = answerSolana()
  const read: ApprovalRequest['read'] = async (...asked) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    return answer(...asked)
  }
  const params = { transactions: all.map((one) => buildTransaction(one)) }
  const { view, approve } = await prepareRequest(
    createSolanaRequest('solana_signAllTransactions', params, { keys, read }),
  )
  expect(view.title).toContain('Sign 50 transactions: send 50.000001225 SOL')
  expect(view.groups[0]).toEqual({
    label: 'All 50 transactions together',
    rows: [
      { label: 'Amount', value: '50.000001225 SOL' },
      { label: 'Amount', value: expect.stringMatching(/^3 of token /) },
      { label: 'Token', address: mint },
      { label: 'Amount', value: expect.stringMatching(/^0\.0015 of token /) },
      { label: 'Token', address: mint },
    ],
  })
  expect(view.transactions).toHaveLength(50)
  for (const { rows } of view.transactions ?? []) expect(rows[0]?.label).toBe('1. Send SOL')
  expect(view.transactions?.flatMap(({ rows }) => rows)).toHaveLength(53)
  expect(most).toBeLessThanOrEqual(5)
  const { transactions } = (await approve()) as { transactions: string[] }
  expect(transactions).toHaveLength(50)
  expect(works.map(([work, given]) => [work, given.transactions.length])).toEqual([
    ['signSolanaTransactions', 50],
  ])
})

/** A node that says one thing to the review, and from then on another. */
const adapt = (first: Node, then: Node): ApprovalRequest['read'] => {
  let simulations = 0
  const [before, after] = [answerSolana(first), answerSolana(then)]
  return async (chain, method, params, signal) => {
    const answer = simulations > 0 ? after : before
    if (method === 'simulateTransaction') simulations += 1
    return answer(chain, method, params, signal)
  }
}
const account = (balance: number) => ({ owner: programs.system, lamports: balance })
const holding = (amount: bigint, owner: string = own, delegate?: string) => ({
  owner: programs.token,
  data: tokenAccountData({ mint, owner, amount, ...(delegate && { delegate }) }),
})
const hold = (balance: number, after: number, tokens = holding(100n), changed = tokens): Node => ({
  accounts: { [own]: account(balance), [source]: tokens },
  after: { [own]: account(after), [source]: changed },
})
const swap: Instruction = {
  programAddress: program,
  accounts: [
    { address: own, role: AccountRole.WRITABLE_SIGNER },
    { address: source, role: AccountRole.WRITABLE },
  ],
  data: Uint8Array.of(1),
}

test('simulation: nothing is signed, and it is shown again, when more would leave than was reviewed', async () => {
  const reviewed = hold(9_000, 8_000)
  const grown: [string, Node][] = [
    ['more SOL', hold(9_000, 7_999)],
    ['tokens', hold(9_000, 8_000, holding(100n), holding(99n))],
    ['another owner', hold(9_000, 8_000, holding(100n), holding(100n, other))],
    ['a spender', hold(9_000, 8_000, holding(100n), holding(100n, own, other))],
    ['a failure', { ...reviewed, simulationError: 'x' }],
  ]
  for (const [what, then] of grown) {
    const prepared = await prepare([swap], { read: adapt(reviewed, then) })
    const next = await prepared.recheck?.()
    expect([what, next?.view.warnings[0]]).toEqual([
      what,
      { level: 'danger', text: expect.stringContaining('Nothing was signed. Check it again.') },
    ])
    // What is shown now is what counts from now on.
    expect([what, await next?.recheck?.()]).toEqual([what, undefined])
  }
})

test('simulation: an arriving amount may shrink by a hundredth, a leaving amount by any part', async () => {
  const arriving = (amount: bigint) => hold(9_000, 8_000, holding(100n), holding(amount))
  const changes = async (first: Node, then: Node) =>
    (await (await prepare([swap], { read: adapt(first, then) })).recheck?.()) !== undefined
  expect(await changes(arriving(1_100n), arriving(1_090n))).toBe(false)
  expect(await changes(arriving(1_100n), arriving(1_089n))).toBe(true)
  expect(await changes(arriving(1_100n), arriving(100n))).toBe(true)
  expect(await changes(hold(9_000, 8_000), hold(9_000, 8_500))).toBe(false)
})

test('simulation: shows the request again if a node simulated it only before or only after the approval', async () => {
  const silent: Node = { simulationError: 'x' }
  const works = hold(9_000, 8_000)
  const first = await prepare([swap], { read: adapt(silent, works) })
  expect((await first.recheck?.())?.view.groups.at(-1)?.rows).toContainEqual({
    label: 'Leaves',
    value: '0.000001 SOL',
  })
})

test('simulation: a lookup table or an owner that is another one now has it shown again', async () => {
  const [destination] = [key(64)]
  const send = getTransferInstruction({ source, destination, authority: me, amount: 5n })
  const node = (owner: string): Node => ({
    accounts: { [destination]: holding(0n, owner), [source]: holding(100n) },
  })
  const prepared = await prepare([send], { read: adapt(node(other), node(key(65))) })
  const next = await prepared.recheck?.()
  expect(JSON.stringify(next?.view.groups)).toContain(key(65))
  const same = await prepare([send], { read: adapt(node(other), node(other)) })
  expect(await same.recheck?.()).toBeUndefined()
})

test('Solana: an encrypted amount is a danger, and never shown as nothing', async () => {
  const hidden = (tag: number[], ...accounts: Address[]): Instruction => ({
    programAddress: programs.token2022 as Address,
    accounts: [
      ...accounts.map((address) => ({ address, role: AccountRole.WRITABLE })),
      { address: own, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.from([...tag, ...new Array<number>(36 + 128 + 3).fill(0)]),
  })
  const sent = await viewOf([hidden([27, 7], source, mint, key(66))])
  expect(sent.title).toMatch(/^Send a hidden amount of token /)
  expect(sent.groups[0]).toMatchObject({ label: 'Leaves your wallet' })
  expect(dangers(sent)).toContain('The amount is encrypted.')
  const burnt = await viewOf([hidden([42, 4], source, mint)])
  expect(burnt.groups[0]).toMatchObject({ label: 'Destroyed' })
  expect(dangers(burnt)).toContain('The amount is encrypted.')
})

test('foreign scripts: shows a token by its mint; a name appears only next to it and marked unverified', async () => {
  const send = getTransferCheckedInstruction({
    ...{ source, mint, destination: key(63), authority: me },
    ...{ amount: 1_500_000n, decimals: 6 },
  })
  const naming = (name: string) =>
    claiming(JSON.stringify({ tokens: [{ address: mint, name, symbol: null }] }))
  const named = async (name: string) =>
    (await viewOf([send], { fetchTokenClaims: naming(name) })).groups[0]?.rows
  const plain = await viewOf([send])
  expect(await named('USD Coin (USDC)')).toEqual([
    ...(plain.groups[0]?.rows ?? []),
    { label: 'Its name, according to our server', value: '“USD Coin (USDC)”' },
  ])
  // For any claimed name, mint, amount and recipient stay, and the title does not repeat the name.
  const lie = await viewOf([send], { fetchTokenClaims: naming('0 SOL') })
  expect(lie.title).toBe(plain.title)
  expect(lie.groups[0]?.rows).toEqual(expect.arrayContaining(plain.groups[0]?.rows ?? []))
})
