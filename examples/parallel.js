// Calls a tool several times at once, and goes on when some of the calls fail.
//
//   isogate run examples/parallel.js --tool shop.stock=./examples/stock.sh
async () => {
  const articles = ['lamp', 'atlas', 'unicorn'];
  const answers = await Promise.allSettled(articles.map((article) => shop.stock(article)));
  return articles.map((article, i) => {
    const { status, value, reason } = answers[i];
    return status === 'fulfilled' ? `${article}: ${value}` : `${article}: ${reason.message}`;
  });
};
