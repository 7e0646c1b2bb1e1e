import { enHoldings } from './enHoldings.ts'
import { enShared } from './enShared.ts'

/** English messages of swapping, which load with its views. */
export const enSwap = {
  ...enShared,
  ...enHoldings,

  'swap.ask': 'Swap {paid} for about {received}?',
  'swap.pay': 'You pay',
  'swap.receive': 'You receive',
  'swap.noLiquidity': 'Insufficient liquidity: this amount is too small or too large.',
  'swap.payToken': 'Token to pay with: {symbol}',
  'swap.receiveToken': 'Token to receive: {symbol}',
  'swap.chooseToken': 'Select token',
  'swap.flip': 'Switch the two tokens',
  'swap.addAmount': 'Enter amount',
  'swap.incorrectValue': 'Incorrect value',
  'swap.insufficientBalance': 'Insufficient balance',
  'swap.insufficientGas': 'Not enough {symbol} for the network fee',
  'swap.looking': 'Looking for the best price…',
  'swap.failed': 'No price',
  'swap.preview': 'Review swap',

  'swap.details': 'Details',
  'swap.rate': 'Price',
  'swap.rateText': '1 {from} = {amount} {to}',
  'swap.impact': 'Price impact',
  'swap.loss': 'Cost vs. market price',
  'swap.poolFee': 'Pool fee',
  'swap.poolFeeHint': 'Included',
  'swap.minimum': 'You receive at least',
  'swap.slippage': 'Max. slippage',
  'swap.route': 'Route',
  'swap.wrap': 'One to one',
  'swap.share': '{percent}%',
  'swap.updated': { one: 'Updated {count} second ago', other: 'Updated {count} seconds ago' },
  'swap.refresh': 'Refresh the price',

  'swap.slippageHint': 'If the price moves by more than this, nothing is swapped.',
  'swap.slippageOther': 'Other %',
  'swap.slippageOwn': 'Custom, in percent',
  'swap.slippageHigh': 'You may receive up to {percent}% less than shown.',
  'swap.slippageLow': 'The swap may fail if the price moves a little.',
  'swap.slippageWrong': 'Enter a number from 0 to 50.',

  'swap.impactWarning': 'You’d lose about {percent}%. This pool is small: try a smaller amount.',
  'swap.impactWarningWorth':
    'You’d lose about {percent}% (≈ {value}). This pool is small: try a smaller amount.',
  'swap.lossWarning': 'At current prices you get {percent}% less than you pay.',
  'swap.understand': 'I may lose about {percent}% and want to swap anyway',
  'swap.unlisted':
    '{symbol} is not on a token list. Anyone can create a token with this name. Compare its address: {address}',
  'swap.unsupported': 'Network not supported for Swaps',
  'swap.unsupportedHint': 'Change to another network to swap tokens.',

  'swap.own': 'Your tokens',
  'swap.listed': 'Tokens',
  'swap.search': 'Search name or paste address',
  'swap.unlistedTag': 'Not listed',
  'swap.noToken': 'There is no token at this address',
  'swap.noTokenHint': 'Tokens are on one network only. Check that it is the right one.',
  'swap.noMatchHint': 'To swap a token that is not listed, paste its address.',
  'swap.tokensFailed': 'The tokens could not be loaded',

  'swap.steps': 'What your wallet will ask for',
  'swap.stepReset': 'Revoke the earlier {symbol} allowance',
  'swap.stepApprove': 'Allow the swap contract to spend exactly {amount} {symbol}',
  'swap.stepSign':
    'Sign to let the swap contract spend exactly {amount} {symbol}. It’s free and expires in 20 minutes.',
  'swap.stepUnlimited': 'Allow the swap contract to spend any amount of {symbol}, now and later',
  'swap.stepSwap': 'Swap',
  'swap.asOne': 'Your wallet does both as one: all or nothing.',
  'swap.stepDone': 'Done',
  'swap.stepNow': 'Confirm it in your wallet',
  'swap.contract': 'Swap contract',
  'swap.signAndSubmit': 'Sign and swap',
  'swap.signatureRefused':
    'This token cannot be approved by signature. Your wallet will ask for a transaction instead, which costs a network fee.',
  'swap.allowance': 'How much the swap contract may spend',
  'swap.allowanceExact': 'Exactly this amount',
  'swap.allowanceUnlimited': 'Any amount, until I revoke it',
  'swap.allowanceHint': 'The contract keeps no allowance after the swap.',
  'swap.allowanceWarning':
    'Later swaps skip this step. But if the contract has a bug, it could take all your {symbol}, now or later. You can revoke this under Allowances.',
  'swap.moved': 'The price moved. You would now receive about {amount} {symbol}.',
  'swap.accept': 'Accept new price',
  'swap.submit': 'Swap',
  'swap.approveAndSubmit': 'Allow and swap',
  'swap.declined': 'You declined. Nothing was swapped.',
  'swap.warning':
    'A swap cannot be undone. Nothing is swapped if you would receive less than the minimum.',

  'sentSwap.title': '{amount} {from} for {to}',
  'sentSwap.unanswered':
    'This swap was sent to your wallet, but no response has arrived. Check your wallet and your activity before you swap again.',
  'sentSwap.dismiss': 'I checked',
  'sentSwap.hide': 'Hide this swap',

  'swapped.paid': 'Paid',
  'swapped.received': 'Received',
  'swapped.waiting': 'Waiting for the network',
  'swapped.waitingHint': 'The swap is on its way. You can close this window.',
  'swapped.success': 'Swap complete',
  'swapped.successHint': 'The network has confirmed it. It will be final soon.',
  'swapped.finalHint': 'Final. It can no longer change.',
  'swapped.reverted': 'Swap failed',
  'swapped.revertedHint':
    'The price moved too far or it took too long. Nothing was swapped, but the network fee was paid.',
  'swapped.unknown': 'Not confirmed yet',
  'swapped.unknownHint':
    'The network has not confirmed it yet. The swap may still go through: check your wallet.',
  'swapped.spedUp': 'Swap complete',
  'swapped.spedUpHint': 'You sped it up in your wallet. It is in a block as another transaction.',
  'swapped.cancelled': 'Swap canceled',
  'swapped.cancelledHint': 'You canceled it in your wallet. Nothing was swapped.',
  'swapped.replaced': 'Swap replaced',
  'swapped.replacedHint':
    'Another transaction from this account replaced it. Nothing was swapped: check your wallet.',
  'swapped.owners': 'Waiting for other owners',
  'swapped.ownersHint':
    'Several owners may control this account. The swap begins once enough of them have confirmed it in their wallets.',
  'swapped.expired': 'Transaction expired',
  'swapped.expiredHint': 'The network did not accept it in time. Nothing was swapped.',
} as const
