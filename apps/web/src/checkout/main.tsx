import { openPage } from '../visitor/open.tsx'
import './checkout.css'
import { checkoutMessageTables } from './checkout-messages.ts'
import { CheckoutPage } from './Page.tsx'

await openPage(CheckoutPage, checkoutMessageTables)
