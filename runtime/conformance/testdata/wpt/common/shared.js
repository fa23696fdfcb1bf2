// Named from the top of the checkout.
const sharedByAll = 'shared';
