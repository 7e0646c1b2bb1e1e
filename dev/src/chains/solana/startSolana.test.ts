import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../ports.ts'
import { root } from '../../root.ts'
import { programs, solanaChain } from './definition.ts'
import { type Solana, startSolana } from './startSolana.ts'

let solana: Solana
beforeAll(async () => {
  solana = await startSolana()
})
afterAll(() => solana?.stop())

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const clients = (url: string) => ({
  rpc: createSolanaRpc(url),
  rpcSubscriptions: createSolanaRpcSubscriptions(url.replace('http', 'ws')),
})

const signerAt = (index: number) =>
  createKeyPairSignerFromPrivateKeyBytes(
    Buffer.from(solana.accounts[index]?.privateKey ?? '', 'hex'),
  )

async function build(parameters: {
  payer: KeyPairSigner
  instructions: readonly Instruction[]
  lookupTable?: Record<Address, Address[]>
}) {
  const { payer, instructions, lookupTable } = parameters
  const { value: lifetime } = await clients(solana.url).rpc.getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayerSigner(payer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
    (each) => compressTransactionMessageUsingAddressLookupTables(each, lookupTable ?? {}),
  )
  return signTransactionMessageWithSigners(message)
}

const sendAndConfirm = (transaction: Awaited<ReturnType<typeof build>>) =>
  sendAndConfirmTransactionFactory(clients(solana.url))(
    transaction as Parameters<ReturnType<typeof sendAndConfirmTransactionFactory>>[0],
    { commitment: 'confirmed' },
  )

async function ask(method: string, params: unknown, url = solana.url) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).json()
}

const pay = (source: KeyPairSigner, destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source, destination, amount: lamports(amount) })

test('default: a stock client gets an airdrop, pays, and gets the confirmation by subscription', async () => {
  const { rpc } = clients(solana.url)
  const [payer, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
  const drop = () => rpc.requestAirdrop(payer.address, lamports(2_000_000_000n)).send()
  const [first, second] = [await drop(), await drop()]
  expect(first).not.toBe(second)
  const transaction = await build({ payer, instructions: [pay(payer, other.address, 5_000_000n)] })
  await sendAndConfirm(transaction)
  expect((await rpc.getBalance(payer.address).send()).value).toBe(3_994_995_000n)
  expect((await rpc.getBalance(other.address).send()).value).toBe(5_000_000n)
  const signature = getSignatureFromTransaction(transaction)
  const { value } = await rpc.getSignatureStatuses([signature]).send()
  expect(value[0]).toMatchObject({ err: null })
  solana.skipSlots(2)
  const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 } as const
  const read = await rpc.getTransaction(signature, config).send()
  expect(read?.meta).toMatchObject({ fee: 5_000n, err: null })
  expect(read?.transaction.message.instructions).toEqual([
    {
      program: 'system',
      programId: programs.system,
      parsed: {
        type: 'transfer',
        info: { source: payer.address, destination: other.address, lamports: 5_000_000n },
      },
      stackHeight: 1,
    },
  ])
})

test('default: development accounts with SOL and tokens of both programs', async () => {
  const { rpc } = clients(solana.url)
  expect(await rpc.getGenesisHash().send()).toBe(solanaChain.genesisHash)
  // A call may omit params.
  expect(await ask('getGenesisHash', undefined)).toMatchObject({ result: solanaChain.genesisHash })
  // The addresses that other tools derive from the same mnemonic.
  const addresses = solana.accounts.map((account) => account.address)
  expect(addresses.slice(0, 2)).toEqual([
    'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96',
    'AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD',
  ])
  const owner = address(addresses[4] ?? '')
  expect((await rpc.getBalance(owner).send()).value).toBe(1_000_000_000_000n)
  const held = async (programId: string) => {
    const filter = { programId: address(programId) }
    const found = await rpc
      .getTokenAccountsByOwner(owner, filter, { encoding: 'jsonParsed' })
      .send()
    return found.value.map(({ account }) => account.data.parsed.info)
  }
  expect(await held(programs.token)).toMatchObject([
    { mint: solana.addresses.token, tokenAmount: { uiAmountString: '5000', decimals: 6 } },
  ])
  expect(await held(programs.token2022)).toMatchObject([
    {
      mint: solana.addresses.feeToken,
      tokenAmount: { uiAmountString: '250', decimals: 9 },
      extensions: [
        { extension: 'immutableOwner' },
        { extension: 'transferFeeAmount', state: { withheldAmount: 0n } },
      ],
    },
  ])
  const mint = await rpc
    .getAccountInfo(address(solana.addresses.feeToken), { encoding: 'jsonParsed' })
    .send()
  expect(mint.value?.data).toMatchObject({
    program: 'spl-token-2022',
    parsed: {
      type: 'mint',
      info: {
        decimals: 9,
        extensions: [
          {
            extension: 'transferFeeConfig',
            state: {
              newerTransferFee: { transferFeeBasisPoints: 100, maximumFee: 5_000_000_000n },
            },
          },
          { extension: 'metadataPointer', state: { metadataAddress: solana.addresses.feeToken } },
          { extension: 'tokenMetadata', state: { name: 'Dev Fee', symbol: 'dFEE' } },
        ],
      },
    },
  })
})

test('default: history of several days, newest first, page by page', async () => {
  const { rpc } = clients(solana.url)
  const of = address(solana.accounts[0]?.address ?? '')
  const all = await rpc.getSignaturesForAddress(of).send()
  expect(all.length).toBeGreaterThanOrEqual(6)
  const times = all.map(({ blockTime }) => Number(blockTime))
  expect(times).toEqual([...times].sort((one, other) => other - one))
  const [first, second, third] = all.map(({ signature }) => signature) as Signature[]
  const page = (config: { before?: Signature; until?: Signature; limit?: number }) =>
    rpc
      .getSignaturesForAddress(of, config)
      .send()
      .then((found) => found.map(({ signature }) => signature))
  expect(await page({ limit: 2 })).toEqual([first, second])
  expect(await page({ before: first as Signature, limit: 2 })).toEqual([second, third])
  expect(await page({ until: third as Signature })).toEqual([first, second])
  expect(all.find(({ memo }) => memo)?.memo).toBe('[5] Lunch')
  expect(all.filter(({ err }) => err !== null).map(({ err }) => err)).toEqual([
    { InstructionError: [0n, { Custom: 1n }] },
  ])

  const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 } as const
  const read = await Promise.all(
    all.map(({ signature }) => rpc.getTransaction(signature, config).send()),
  )
  const loaded = read.find((each) =>
    each?.transaction.message.accountKeys.some(({ source }) => source === 'lookupTable'),
  )
  expect(loaded?.version).toBe(0)
  expect(loaded?.transaction.message.instructions).toMatchObject([
    { parsed: { info: { destination: solana.accounts[2]?.address } } },
    { parsed: { info: { destination: solana.accounts[3]?.address } } },
  ])
  const fee = read.find((each) =>
    each?.meta?.postTokenBalances?.some(({ mint }) => mint === solana.addresses.feeToken),
  )
  expect(fee?.meta?.err).toBeNull()
  await expect(
    rpc.getTransaction(loaded?.transaction.signatures[0] as Signature).send(),
  ).rejects.toThrow(/maxSupportedTransactionVersion/)
})

test('default: tokens to an owner without a token account, with the rent and inner instructions', async () => {
  const { rpc } = clients(solana.url)
  const payer = await signerAt(3)
  const to = await generateKeyPairSigner()
  const mint = address(solana.addresses.token)
  const tokenProgram = address(programs.token)
  const find = async (owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0]
  const [source, ata] = await Promise.all([find(payer.address), find(to.address)])
  const transaction = await build({
    payer,
    instructions: [
      getCreateAssociatedTokenIdempotentInstruction({
        payer,
        ata,
        owner: to.address,
        mint,
        tokenProgram,
      }),
      getTransferCheckedInstruction({
        source,
        mint,
        destination: ata,
        authority: payer,
        amount: 1_250_000n,
        decimals: 6,
      }),
      getAddMemoInstruction({ memo: 'Thanks' }),
    ],
  })
  await sendAndConfirm(transaction)
  expect((await rpc.getTokenAccountBalance(ata).send()).value.uiAmountString).toBe('1.25')
  solana.skipSlots(2)
  const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 } as const
  const read = await rpc.getTransaction(getSignatureFromTransaction(transaction), config).send()
  expect(read?.transaction.message.instructions).toMatchObject([
    {
      program: 'spl-associated-token-account',
      parsed: { type: 'createIdempotent', info: { wallet: to.address } },
    },
    {
      program: 'spl-token',
      parsed: { type: 'transferChecked', info: { tokenAmount: { uiAmountString: '1.25' } } },
    },
    { program: 'spl-memo', parsed: 'Thanks' },
  ])
  expect(read?.meta?.innerInstructions).toMatchObject([
    {
      index: 0,
      instructions: [{ program: 'spl-token' }, { program: 'system', stackHeight: 2 }, {}, {}],
    },
  ])
  const held = read?.meta?.postTokenBalances?.map(({ owner, uiTokenAmount }) => [
    owner,
    uiTokenAmount.uiAmountString,
  ])
  expect(Object.fromEntries(held ?? [])).toEqual({
    [payer.address]: '4998.75',
    [to.address]: '1.25',
  })
  const rent = await rpc.getMinimumBalanceForRentExemption(165n).send()
  expect((await rpc.getBalance(ata).send()).value).toBe(rent)
})

test('default: a lookup table', async () => {
  const { rpc } = clients(solana.url)
  const payer = await signerAt(2)
  const to = solana.accounts.slice(5, 9).map((account) => address(account.address))
  const entries = solana.accounts.map((account) => address(account.address))
  const transaction = await build({
    payer,
    instructions: to.map((each) => pay(payer, each, 1_000n)),
    lookupTable: { [address(solana.addresses.lookupTable)]: entries },
  })
  await sendAndConfirm(transaction)
  solana.skipSlots(2)
  const config = { encoding: 'json', maxSupportedTransactionVersion: 0 } as const
  const read = await rpc.getTransaction(getSignatureFromTransaction(transaction), config).send()
  const { writable, readonly } = read?.meta?.loadedAddresses ?? {}
  expect([...(writable ?? [])].sort()).toEqual([...to].sort())
  expect(readonly).toEqual([])
})

test('behavior: account, log and slot subscriptions, until they are ended', async () => {
  const { rpc, rpcSubscriptions } = clients(solana.url)
  const abort = new AbortController()
  cleanups.push(() => abort.abort())
  const of = (await generateKeyPairSigner()).address
  const options = { abortSignal: abort.signal }
  const [accounts, logs, slots] = await Promise.all([
    rpcSubscriptions.accountNotifications(of, { commitment: 'confirmed' }).subscribe(options),
    rpcSubscriptions
      .logsNotifications({ mentions: [of] }, { commitment: 'confirmed' })
      .subscribe(options),
    rpcSubscriptions.slotNotifications().subscribe(options),
  ])
  const first = async <Notice>(notices: AsyncIterable<Notice>) => {
    for await (const notice of notices) return notice
    throw new Error('it ended')
  }
  const [account, log, slot] = [first(accounts), first(logs), first(slots)]
  const signature = await rpc.requestAirdrop(of, lamports(7_000_000n)).send()
  expect((await account).value.lamports).toBe(7_000_000n)
  expect((await log).value).toMatchObject({ signature, err: null })
  expect(Number((await slot).slot)).toBeGreaterThan(6_000_000)
})

test('error: an expired blockhash, in a preflight and in a simulation', async () => {
  const { rpc } = clients(solana.url)
  const payer = await signerAt(1)
  const transaction = await build({ payer, instructions: [pay(payer, payer.address, 1n)] })
  const blockhash = transaction.lifetimeConstraint as { blockhash: Blockhash }
  expect((await rpc.isBlockhashValid(blockhash.blockhash).send()).value).toBe(true)
  await ask('latchkey_skipSlots', [151])
  expect((await rpc.isBlockhashValid(blockhash.blockhash).send()).value).toBe(false)
  const wire = getBase64EncodedWireTransaction(transaction)
  expect(await ask('sendTransaction', [wire, { encoding: 'base64' }])).toMatchObject({
    error: {
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: [], unitsConsumed: 0 },
    },
  })
  const { result } = await ask('simulateTransaction', [wire, { encoding: 'base64' }])
  expect(result.value.err).toBe('BlockhashNotFound')
  const replaced = { encoding: 'base64', replaceRecentBlockhash: true }
  expect((await ask('simulateTransaction', [wire, replaced])).result.value.err).toBeNull()
})

test('error: more than there is, the same again, a broken signature', async () => {
  const { rpc } = clients(solana.url)
  const payer = await signerAt(1)
  const other = (await generateKeyPairSigner()).address
  const send = (wire: Base64EncodedWireTransaction) =>
    rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  const instructions = [pay(payer, other, 10n ** 15n)]
  const tooMuch = getBase64EncodedWireTransaction(await build({ payer, instructions }))
  const error = await send(tooMuch).catch((reason: unknown) => reason)
  expect(
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE),
  ).toBe(true)
  expect(await ask('sendTransaction', [tooMuch, { encoding: 'base64' }])).toMatchObject({
    error: {
      message:
        'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: { err: { InstructionError: [0, { Custom: 1 }] } },
    },
  })
  const one = await build({ payer, instructions: [pay(payer, other, 1_000_000n)] })
  const wire = getBase64EncodedWireTransaction(one)
  await send(wire)
  expect(await ask('sendTransaction', [wire, { encoding: 'base64' }])).toMatchObject({
    error: { code: -32002, data: { err: 'AlreadyProcessed' } },
  })
  const bytes = Buffer.from(wire, 'base64')
  bytes[10] = (bytes[10] ?? 0) ^ 1
  expect(await ask('sendTransaction', [bytes.toString('base64'), { encoding: 'base64' }])).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32003, message: 'Transaction signature verification failure' },
  })
})

test.each([
  ['getBalance', []],
  ['getBalance', ['nonsense']],
  ['getBalance', { address: 'x' }],
  ['getAccountInfo', ['11111111111111111111111111111111', { encoding: 'yaml' }]],
  ['getTokenAccountsByOwner', ['11111111111111111111111111111111', {}]],
  [
    'getTokenAccountsByOwner',
    ['11111111111111111111111111111111', { mint: '11111111111111111111111111111111' }],
  ],
  ['sendTransaction', ['AAAA', { encoding: 'base64' }]],
  ['sendTransaction', ['%%%%', { encoding: 'base64' }]],
  ['sendTransaction', ['A'.repeat(3_000), { encoding: 'base64' }]],
  ['getFeeForMessage', ['AAAA']],
  ['getSignaturesForAddress', ['11111111111111111111111111111111', { limit: 1_001 }]],
  ['getTransaction', ['abc']],
  ['requestAirdrop', ['11111111111111111111111111111111', -1]],
])('error: %s with %j', async (method, params) => {
  expect(await ask(method, params)).toMatchObject({ error: { code: -32602 } })
})

test('error: invalid calls', async () => {
  expect(await ask('getRich', [])).toMatchObject({ error: { code: -32601 } })
  expect(await ask('constructor', [])).toMatchObject({ error: { code: -32601 } })
  const post = (body: string) => fetch(solana.url, { method: 'POST', body })
  expect(await (await post('{')).json()).toMatchObject({ error: { code: -32700 } })
  expect(await (await post('[]')).json()).toMatchObject({ error: { code: -32600 } })
  expect((await post('x'.repeat(60_000))).status).toBe(413)
  const socket = new WebSocket(solana.url.replace('http', 'ws'))
  await new Promise((resolve) => socket.once('open', resolve))
  const reply = new Promise((resolve) =>
    socket.once('message', (data) => resolve(JSON.parse(String(data)))),
  )
  socket.send('{"jsonrpc":"2.0","id":7,"method":"signatureUnsubscribe","params":[99]}')
  expect(await reply).toMatchObject({ id: 7, error: { code: -32602 } })
  socket.terminate()
})

test('behavior: confirmed data survives kill -9', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const script = `import { startSolana } from ${JSON.stringify(`${root}/dev/src/chains/solana/startSolana.ts`)}
    await startSolana(${JSON.stringify({ port, dataDir })})
    console.log('ready')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const url = `http://127.0.0.1:${port}`
  const of = (await generateKeyPairSigner()).address
  const { result: signature } = await ask('requestAirdrop', [of, 123_456_789], url)
  const { result: slot } = await ask('latchkey_skipSlots', [1_000], url)
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended

  const again = await startSolana({ dataDir })
  cleanups.push(again.stop)
  const { rpc } = clients(again.url)
  expect((await rpc.getBalance(of).send()).value).toBe(123_456_789n)
  expect(await rpc.getSlot().send()).toBeGreaterThanOrEqual(BigInt(slot))
  const history = await rpc.getSignaturesForAddress(of).send()
  expect(history.map((each) => each.signature)).toEqual([signature])
  const accounts = await rpc
    .getTokenAccountsByOwner(
      address(again.accounts[0]?.address ?? ''),
      { programId: address(programs.token) },
      { encoding: 'jsonParsed' },
    )
    .send()
  expect(accounts.value).toHaveLength(2)
})
