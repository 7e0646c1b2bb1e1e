import { enHelp } from '../../locales/enHelp.ts'
import { useT } from '../../locales/useT.ts'
import { Slides } from '../connect/Slides.tsx'

/** Explains what a network is. */
export function WhatIsANetwork() {
  const t = useT(enHelp)
  return (
    <Slides
      slides={[
        { icon: 'globe', title: t('whatNetwork.ledgerTitle'), text: t('whatNetwork.ledger') },
        { icon: 'coins', title: t('whatNetwork.useTitle'), text: t('whatNetwork.use') },
        { icon: 'shield', title: t('whatNetwork.careTitle'), text: t('whatNetwork.care') },
      ]}
    />
  )
}
