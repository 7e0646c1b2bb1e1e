import {
  type Address,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { programs } from '../definition.ts'
import type { SolanaAccount } from '../keys.ts'
import { buildTransaction, faucet, toSigner } from '../state/buildTransaction.ts'
import type { SolanaChain } from '../state/openChain.ts'
import { encodeLookupTable } from '../state/readMessage.ts'
import { seedKeys, solanaAddresses, solanaTokens } from './addresses.ts'
import {
  feeMintSize,
  initializeMetadata,
  initializeMetadataPointer,
  initializeMint,
  initializeTransferFee,
  metadataSize,
} from './token2022.ts'

const sol = 1_000_000_000
const dayMs = 86_400_000
/** Age of the chain at its first start, so that its history spans several days. */
export const seedAgeMs = 30 * dayMs
const holders = 5

type Send = (step: {
  payer: KeyPairSigner
  daysAgo: number
  instructions: readonly Instruction[]
  lookupTable?: readonly string[]
  fails?: boolean
}) => Promise<void>

/**
 * Adds accounts, tokens and some history to a new chain. The fifth account has round amounts and no
 * history.
 */
export async function seedSolana(
  chain: SolanaChain,
  accounts: readonly SolanaAccount[],
): Promise<void> {
  const wallet = (amount: number) => ({
    lamports: amount * sol,
    owner: programs.system,
    data: new Uint8Array(),
    executable: false,
  })
  for (const { address } of accounts) chain.setAccount(address, wallet(1_000))
  chain.setAccount(faucet.address, wallet(1_000_000))
  chain.setAccount(seedKeys.payer.address, wallet(100))
  const entries = accounts.map(({ address }) => new Uint8Array(toBytes(address)))
  const table = encodeLookupTable(new Uint8Array(toBytes(seedKeys.payer.address)), entries)
  chain.setAccount(solanaAddresses.lookupTable, {
    lamports: chain.rentFor(table.length),
    owner: programs.lookupTable,
    data: table,
    executable: false,
  })
  const send: Send = async ({ daysAgo, fails = false, ...rest }) => {
    const slot = chain.slots.at(Date.now() - daysAgo * dayMs)
    const { error } = chain.execute(await buildTransaction(chain, { slot, ...rest }), slot)
    if ((error !== null) !== fails) throw new Error(`Seeding Solana: ${JSON.stringify(error)}`)
  }
  await seedMints(chain, send)
  for (const [index, { address }] of accounts.slice(0, holders).entries())
    await mintTo(send, {
      owner: address,
      keys: index === 0 ? ['token', 'feeToken', 'nft'] : ['token', 'feeToken'],
    })
  await seedHistory(send, accounts)
}

async function seedMints(chain: SolanaChain, send: Send) {
  const payer = await toSigner(seedKeys.payer)
  const create = async (
    key: 'token' | 'feeToken' | 'nft',
    parameters: { space: number; later?: number; program: string },
  ) => {
    const { space, later = 0, program } = parameters
    const newAccount = await toSigner(seedKeys[key])
    return getCreateAccountInstruction({
      ...{ payer, newAccount, space },
      lamports: lamports(BigInt(chain.rentFor(space + later))),
      programAddress: program as Address,
    })
  }
  const space = getMintSize()
  const { token, feeToken } = solanaTokens
  const mintAuthority = payer.address
  for (const [key, decimals] of [
    ['token', token.decimals],
    ['nft', 0],
  ] as const) {
    const mint = solanaAddresses[key] as Address
    const instructions = [
      await create(key, { space, program: programs.token }),
      getInitializeMint2Instruction({ mint, decimals, mintAuthority }),
    ]
    await send({ payer, daysAgo: 29, instructions })
  }
  const mint = solanaAddresses.feeToken
  const texts = feeToken.name.length + feeToken.symbol.length
  const later = metadataSize + texts
  const fee = { basisPoints: 100, maximum: 5n * 10n ** BigInt(feeToken.decimals) }
  const instructions = [
    await create('feeToken', { space: feeMintSize, later, program: programs.token2022 }),
    initializeTransferFee({ mint, authority: mintAuthority, ...fee }),
    initializeMetadataPointer(mint),
    initializeMint({ mint, authority: mintAuthority, decimals: feeToken.decimals }),
    initializeMetadata({ mint, authority: payer, name: feeToken.name, symbol: feeToken.symbol }),
  ]
  await send({ payer, daysAgo: 29, instructions })
}

type TokenKey = keyof typeof tokenPrograms

const grants = { token: 5_000n * 10n ** 6n, feeToken: 250n * 10n ** 9n, nft: 1n } as const

async function mintTo(send: Send, { owner, keys }: { owner: string; keys: readonly TokenKey[] }) {
  const payer = await toSigner(seedKeys.payer)
  const instructions: Instruction[] = []
  for (const key of keys) {
    const mint = solanaAddresses[key] as Address
    const tokenProgram = tokenPrograms[key] as Address
    const amount = grants[key]
    const ata = await findTokenAccount({ key, owner })
    instructions.push(
      getCreateAssociatedTokenIdempotentInstruction({
        ...{ payer, ata, mint, tokenProgram },
        owner: owner as Address,
      }),
      getMintToInstruction(
        { mint, token: ata, mintAuthority: payer, amount },
        { programAddress: tokenProgram },
      ),
    )
  }
  await send({ payer, daysAgo: 28, instructions })
}

async function seedHistory(send: Send, accounts: readonly SolanaAccount[]) {
  const [zero, one, two, three] = await Promise.all(accounts.slice(0, 4).map(toSigner))
  if (!zero || !one || !two || !three) throw new Error('Four accounts are needed')
  const pay = (source: KeyPairSigner, to: KeyPairSigner, amount: number) =>
    getTransferSolInstruction({ source, destination: to.address, amount: lamports(BigInt(amount)) })
  await send({ payer: one, daysAgo: 21, instructions: [pay(one, zero, 2.5 * sol)] })
  await send({
    payer: zero,
    daysAgo: 14,
    instructions: [
      await transfer({ key: 'token', from: zero, to: one.address, amount: 25_000_000n }),
      getAddMemoInstruction({ memo: 'Lunch' }),
    ],
  })
  await send({
    payer: zero,
    daysAgo: 9,
    instructions: [pay(zero, two, 0.1 * sol), pay(zero, three, 0.2 * sol)],
    lookupTable: accounts.map(({ address }) => address),
  })
  const amount = 100n * 10n ** 9n
  const fee = await transfer({ key: 'feeToken', from: two, to: zero.address, amount })
  await send({ payer: two, daysAgo: 5, instructions: [fee] })
  const tooMuch = await transfer({ key: 'token', from: zero, to: one.address, amount: 10n ** 15n })
  await send({ payer: zero, daysAgo: 2, instructions: [tooMuch], fails: true })
  await send({ payer: zero, daysAgo: 1, instructions: [pay(zero, one, sol)] })
}

async function transfer(parameters: {
  key: 'token' | 'feeToken'
  from: KeyPairSigner
  to: string
  amount: bigint
}) {
  const { key, from, to, amount } = parameters
  return getTransferCheckedInstruction(
    {
      source: await findTokenAccount({ key, owner: from.address }),
      mint: solanaAddresses[key] as Address,
      destination: await findTokenAccount({ key, owner: to }),
      authority: from,
      ...{ amount, decimals: solanaTokens[key].decimals },
    },
    { programAddress: tokenPrograms[key] as Address },
  )
}

const tokenPrograms = {
  token: programs.token,
  feeToken: programs.token2022,
  nft: programs.token,
} as const

async function findTokenAccount({ key, owner }: { key: TokenKey; owner: string }) {
  const mint = solanaAddresses[key] as Address
  const tokenProgram = tokenPrograms[key] as Address
  const [address] = await findAssociatedTokenPda({ owner: owner as Address, mint, tokenProgram })
  return address
}

const toBytes = (address: string) => getAddressEncoder().encode(address as Address)
