import type { Hex } from 'viem'
import type { Effect, EffectAsset } from '../../effect.ts'
import type { SignedData, SignedStruct, SignedValue } from './checkTypedData.ts'

const highest = (1n << 255n) - 1n

/**
 * The sales that an order allows: Seaport orders, single or in bulk, and orders of order books (0x,
 * CoW, 1inch). Undefined for anything else.
 */
export function readOrder({ encoded, message }: SignedData, account: Hex): Effect[] | undefined {
  const read = Object.hasOwn(orderTypes, encoded) ? orderTypes[encoded] : undefined
  if (read) return [read(message, account)]
  if (encoded === `OrderComponents${orderComponents}`) return [sale(message)]
  const bulk = /^BulkOrder\(OrderComponents((?:\[2\])+) tree\)(.*)$/.exec(encoded)
  if (!bulk || bulk[2] !== bulkParts) return undefined
  return getLeaves(message.tree).filter(isFilled).map(sale)
}

/** Orders that only pad the tree offer nothing. */
const isFilled = ({ offer }: SignedStruct) => !Array.isArray(offer) || offer.length > 0

const getLeaves = (tree: SignedValue | undefined): SignedStruct[] =>
  Array.isArray(tree) ? tree.flatMap(getLeaves) : [tree as SignedStruct]

const text = (value: SignedValue | undefined) => value as Hex
const number = (value: SignedValue | undefined) => BigInt(value as string)
// The address that order books use for the native currency. Only CoW pays it: elsewhere a transfer
// of this token succeeds and moves nothing.
const nativeToken = /^0x(e{40}|0{40})$/i
const units = (token: SignedValue | undefined, amount: bigint): EffectAsset =>
  nativeToken.test(text(token))
    ? { kind: 'native', amount }
    : { kind: 'units', token: text(token), amount }

const offerItem =
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)'
const considerationItem =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)'
const components =
  '(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)'
const orderComponents = `${components}${considerationItem}${offerItem}`
const bulkParts = `${considerationItem}${offerItem}OrderComponents${components}`

/**
 * Seaport: the maximum that may leave, and the minimum that must come back to the account itself.
 */
function sale({ offerer, offer, consideration, endTime }: SignedStruct): Effect {
  const back = (consideration as SignedStruct[]).filter(({ recipient }) => recipient === offerer)
  return {
    kind: 'sell',
    owner: text(offerer),
    gives: (offer as SignedStruct[]).map((one) => toAsset(one, max)),
    gets: back.map((one) => toAsset(one, min)),
    until: number(endTime),
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

function toAsset(item: SignedStruct, pick: (a: bigint, b: bigint) => bigint): EffectAsset {
  const amount = pick(number(item.startAmount), number(item.endAmount))
  const kind = number(item.itemType)
  const token = text(item.token)
  if (kind === 0n) return { kind: 'native', amount }
  if (kind === 1n) return { kind: 'units', token, amount }
  const id = number(item.identifierOrCriteria)
  // 4 and 5 name a set of items, and unknown types are treated the same way.
  return { kind: 'item', token, amount, ...(kind < 4n && { id }) }
}

type Order = {
  gives: EffectAsset
  gets: EffectAsset
  maker: Hex
  receiver?: SignedValue | undefined
  until: bigint
  unsure?: boolean
  paysNative?: true
}

/** Amounts for other recipients do not count for the maker; receiver 0 is the maker. */
const swap = ({
  gives,
  gets,
  maker,
  receiver = maker,
  until,
  unsure = false,
  paysNative,
}: Order): Effect => ({
  kind: 'sell',
  owner: maker,
  gives: [gives],
  gets:
    (receiver === maker || BigInt(receiver as string) === 0n) &&
    (gets.kind !== 'native' || paysNative)
      ? [gets]
      : [],
  until,
  unsure,
})

const zeroEx = (order: SignedStruct, until: bigint): Effect =>
  swap({
    gives: units(order.makerToken, number(order.makerAmount)),
    gets: units(order.takerToken, number(order.takerAmount)),
    maker: text(order.maker),
    until,
  })

/** Parsers of orders by the hashed type. */
export const orderTypes: Readonly<Record<string, (order: SignedStruct, account: Hex) => Effect>> = {
  // 0x 4
  'LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)':
    (order) => zeroEx(order, number(order.expiry)),
  'RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)':
    (order) => zeroEx(order, number(order.expiry)),
  'OtcOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce)':
    (order) => zeroEx(order, number(order.expiryAndNonce) >> 192n),
  // CoW
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)':
    (order, account) =>
      swap({
        gives: units(order.sellToken, number(order.sellAmount) + number(order.feeAmount)),
        gets: units(order.buyToken, number(order.buyAmount)),
        maker: account,
        receiver: order.receiver,
        until: number(order.validTo),
        paysNative: true,
      }),
  // 1inch 6: an expiry of 0 means none; with an extension (bit 249 of the traits) other code
  // decides what the maker gets.
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)':
    (order) => {
      const traits = number(order.makerTraits)
      return swap({
        gives: units(order.makerAsset, number(order.makingAmount)),
        gets: units(order.takerAsset, number(order.takingAmount)),
        maker: text(order.maker),
        receiver: order.receiver,
        until: (traits >> 80n) & 0xff_ffff_ffffn || highest,
        unsure: ((traits >> 249n) & 1n) === 1n,
      })
    },
}
