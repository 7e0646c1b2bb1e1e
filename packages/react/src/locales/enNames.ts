import { enHoldings } from './enHoldings.ts'
import { enShared } from './enShared.ts'

/**
 * English messages of the views about names of accounts, which load with them, and of the field for
 * a receiver.
 */
export const enNames = {
  ...enShared,
  ...enHoldings,

  'names.intro':
    'A name is easier to share than an address: others can send to it, and apps can show it.',
  'names.none': 'No name registered here yet',
  'names.failed': 'Your names could not be loaded',
  'names.new': 'Choose a name',
  'names.shown': 'Shown as your name',

  'register.label': 'Name',
  'register.placeholder': 'your-name',
  'register.hint': 'At least 4 letters, digits or hyphens.',
  'register.short': 'Name must be at least 4 characters long',
  'register.invalid': 'A hyphen cannot be first or last',
  'register.registered': 'Registered',
  'register.available': 'Available',
  'register.suggestions': 'Suggestions',
  'register.looking': 'Looking…',
  'register.lookFailed': 'Names could not be looked up',
  'register.submit': 'Register',
  'register.submitName': 'Register {name}',
  'register.signing': 'Sign the message in your wallet to register…',
  'register.free': 'You sign a message. Registering costs nothing.',

  'registered.title': '{name} is yours',
  'registered.text': 'Others can now send to this name.',
  'registered.done': 'Done',

  'name.leadsTo': 'Points to',
  'name.leadsToOn': 'On {networks}, it points to',
  'name.elsewhere': 'all other networks',
  'name.unknownNetwork': 'network {id}',
  'name.nowhere': 'No address',
  'name.bio': 'About you',
  'name.avatar': 'Image URL',
  'name.avatarHint': 'An image URL (https: or ipfs:) or an NFT in CAIP-22 format.',
  'name.public': 'Everyone can see this.',
  'name.save': 'Save',
  'name.saved': 'Saved',
  'name.declined': 'You declined. Nothing was changed.',
  'name.show': 'Show as my name',
  'name.ensFirst': 'Apps show your ENS name {name} first.',
  'name.isShown': 'This is your name',
  'name.isShownText': 'Apps show it in place of your address.',
  'name.point': 'Change where it points',
  'name.pointText':
    'Payments to this name on {network} will go to this address. Other networks do not change.',
  'name.pointNow': 'Use on {network}',
  'name.give': 'Give to another account',
  'name.giveText': 'The name will point to the other account, and you can no longer change it.',
  'name.giveTo': 'Give {name} away',
  'name.given': 'The name has a new owner',
  'name.release': 'Release this name',
  'name.releaseText':
    '{name} will point to no address. You can register it again; others can after 90 days.',
  'name.releaseNow': 'Release {name}',
  'name.released': 'The name was released',
} as const
