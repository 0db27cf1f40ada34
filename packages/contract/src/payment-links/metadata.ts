/** Key of the metadata that names the link of a payment. Apart from the schemas, which pages must not load. */
export const paymentLinkMetadataKey = 'payment_link'
