
const find = document.getElementById("find"), wrong = document.getElementById("wrong");
if (find) {
  const articles = [...document.querySelectorAll("article")];
  const words = articles.map(article => article.dataset.words.toLowerCase());
  const filter = () => {
    const asked = find.value.toLowerCase().trim();
    let found = 0;
    articles.forEach((article, index) => {
      article.hidden = !words[index].includes(asked) || (wrong.checked && article.dataset.right === "yes");
      found += !article.hidden;
    });
    for (const video of document.querySelectorAll("details.video")) {
      video.hidden = !video.querySelector("article:not([hidden])");
      if (asked && !video.hidden) video.open = true;
    }
    document.getElementById("found").value = `${found} of ${articles.length} questions`;
  };
  find.oninput = wrong.onchange = filter;
  filter();
}
