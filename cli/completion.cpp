// hepcheck completion: shell scripts that query the program for possible next words.
#include <CLI/CLI.hpp>
#include <memory>
#include <print>
#include <string_view>

#include "cli/commands.h"
#include "cli/complete.h"

namespace hepcheck::cli {

namespace {

// All three run `hepcheck completion words -- WORD...` and receive one candidate per line, followed
// by a tab and its description; a line ":files" requests file names as well.

constexpr std::string_view kBash = R"(# bash completion for hepcheck
_hepcheck() {
    local typed=${COMP_LINE:0:COMP_POINT} words current candidate files=
    read -ra words <<<"$typed"
    # After a space, a new word begins.
    [[ $typed == *[[:space:]] ]] && words+=("")
    current=${words[-1]}
    # Bash takes = and : for the ends of words: what stands before them is not replaced.
    local kept=${current%"${current##*[=:]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        if [[ $candidate == :files ]]; then
            files=yes
        else
            COMPREPLY+=("${candidate#"$kept"}")
        fi
    done < <("${1/#\~\//$HOME/}" completion words -- "${words[@]:1}" 2>/dev/null)
    if [[ $files ]]; then
        compopt -o filenames
        while IFS= read -r candidate; do
            COMPREPLY+=("$candidate")
        done < <(compgen -f -- "${current#"$kept"}")
    fi
}
complete -F _hepcheck hepcheck
)";

constexpr std::string_view kZsh = R"(#compdef hepcheck
_hepcheck() {
    local candidate what files
    local -a described
    while IFS=$'\t' read -r candidate what; do
        if [[ $candidate == :files ]]; then
            files=yes
        else
            described+=("${candidate//:/\\:}${what:+:$what}")
        fi
    done < <("${(e)~words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    (( $#described )) && _describe hepcheck described
    if [[ -n $files ]]; then
        compset -P '*='
        _files
    fi
}
# Loaded by its name from a folder in fpath, or sourced.
if [[ $funcstack[1] == _hepcheck ]]; then _hepcheck "$@"; else compdef _hepcheck hepcheck; fi
)";

constexpr std::string_view kFish = R"(# fish completion for hepcheck
function __hepcheck_words
    set -l typed (commandline -opc) (commandline -ct)
    # "--format=js" is one word for hepcheck; fish replaces all of it too.
    for line in ($typed[1] completion words -- $typed[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c hepcheck -f -a '(__hepcheck_words)'
)";

void print_words(const CLI::App& app, const std::vector<std::string>& words) {
  const Completion completion = complete(app, words);
  for (const Candidate& candidate : completion.candidates)
    std::println("{}{}{}", candidate.word, candidate.what.empty() ? "" : "\t", candidate.what);
  if (completion.files) std::println(":files");
}

}  // namespace

void add_completion(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("completion", "Print completion scripts for bash, zsh or fish");
  command->require_subcommand(1);
  command->footer(
      "bash: eval \"$(hepcheck completion bash)\" in ~/.bashrc\nzsh:  hepcheck completion zsh > "
      "DIR/_hepcheck, where DIR is in fpath\nfish: hepcheck completion fish > "
      "~/.config/fish/completions/hepcheck.fish\ncmake --install installs all three.");
  for (const auto& [shell, script] : {std::pair{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}})
    command->add_subcommand(shell, std::string("The script for ") + shell)
        ->callback([script, &status] {
          std::print("{}", script);
          status = 0;
        });

  // Only for the scripts, so it is hidden from --help.
  auto* words = command->add_subcommand("words", "Print possible next words")->group("");
  auto typed = std::make_shared<std::vector<std::string>>();
  words->add_option("word", *typed, "The words typed so far");
  words->callback([typed, &app, &status] {
    print_words(app, *typed);
    status = 0;
  });
}

}  // namespace hepcheck::cli
