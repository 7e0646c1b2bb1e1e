import { enShared } from '../enShared.ts'

/** English messages of the review of a transaction that a page requests. */
export const enReview = {
  ...enShared,
  'review.takes': '{amount} leaves your account',
  'review.brings': '{amount} arrives in your account',
  'review.outputs': { one: 'Pays {count} output', other: 'Pays {count} outputs' },
  'review.inputs': { one: 'Spends {count} input', other: 'Spends {count} inputs' },
  'review.change': 'Back to you',
  'review.signed': 'You sign',
  'review.yours': 'Yours',
  'review.others': 'Someone else’s',
  'review.noAddress': 'No address',
  'review.fee': 'Fee',
  'review.feeClaimed': 'Fee, according to the app',
  'review.rate': '{rate} sat/vB',
  'review.warnings': 'Warnings',
  'review.lookalike':
    '{address} looks like {known}, which you know, but is a different address. Compare every character.',
  'review.refuse': 'Refuse',
  'review.continue': 'Continue in wallet',
  'review.anyway': 'Sign anyway',
  'review.note': 'The app asks for this. Your wallet will ask you to confirm it.',

  'danger.outputsChangeable': 'After you sign, others can change where the money goes.',
  'danger.inputsAddable': 'After you sign, others can add inputs to this transaction.',
  'danger.falseChange':
    'The app calls an output your change, but it does not pay back to your connected account.',
  'danger.nothingBack':
    'Nothing comes back to you. All your inputs are paid to others or taken as the fee.',
  'danger.feeHigh': 'The fee is unusually high.',
  'danger.foreignSigner': 'It needs a signature from an address that is not connected here.',
  'danger.feeUnknown':
    'It pays more than it spends. Others have to add to it, and the fee is not known.',
  'danger.unproven':
    'The input amounts could not be checked, so the fee may be higher than stated. Compare it in your wallet.',
  'danger.inscriptions':
    'It spends one of your small Taproot outputs, which may hold an inscription.',
  'danger.tokensMoved':
    'A data output decides who gets the tokens (runes) that your inputs may hold. The amounts shown here are bitcoin only.',
} as const
