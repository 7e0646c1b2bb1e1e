import { text } from '../locales/text.ts'

/** Only tokens are shown for all networks. */
export const OnNetwork = ({ name }: { name: string }) => (
  <span className="onNetwork">{text('portfolio.on', { network: name })}</span>
)
